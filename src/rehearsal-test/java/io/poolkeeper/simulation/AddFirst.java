package io.poolkeeper.simulation;

import org.pitest.mutationtest.engine.MutationIdentifier;
import org.pitest.mutationtest.engine.gregor.MethodInfo;
import org.pitest.mutationtest.engine.gregor.MethodMutatorFactory;
import org.pitest.mutationtest.engine.gregor.MutationContext;
import org.pitest.reloc.asm.Handle;
import org.pitest.reloc.asm.MethodVisitor;
import org.pitest.reloc.asm.Opcodes;

/** A mutator that PIT lacks: {@code list::add} puts in front what it should append. */
final class AddFirst implements MethodMutatorFactory {
  static final String ID = "ADD_FIRST";

  private static final String ADD = "java/util/List.add(Ljava/lang/Object;)Z";

  @Override
  public MethodVisitor create(MutationContext context, MethodInfo method, MethodVisitor next) {
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitInvokeDynamicInsn(
          String name, String descriptor, Handle bootstrap, Object... arguments) {
        Object[] changed = arguments.clone();
        for (int each = 0; each < changed.length; each++) {
          if (changed[each] instanceof Handle handle && isAdd(handle) && mutates()) {
            changed[each] =
                new Handle(
                    handle.getTag(), handle.getOwner(), "addFirst", "(Ljava/lang/Object;)V", true);
          }
        }
        super.visitInvokeDynamicInsn(name, descriptor, bootstrap, changed);
      }

      private boolean mutates() {
        MutationIdentifier id = context.registerMutation(AddFirst.this, "replaced add by addFirst");
        return context.shouldMutate(id);
      }
    };
  }

  private static boolean isAdd(Handle handle) {
    return ADD.equals(handle.getOwner() + "." + handle.getName() + handle.getDesc());
  }

  @Override
  public String getGloballyUniqueId() {
    return AddFirst.class.getName();
  }

  @Override
  public String getName() {
    return ID;
  }
}
