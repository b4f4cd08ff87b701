package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.Manage;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServiceViewsTest {
  private static final String INTERNAL = "service.beta.kubernetes.io/azure-load-balancer-internal";

  private final Service service = Samples.localService("web");

  @Test
  void view_localLoadBalancer_hasEveryField() {
    Service stored = edit().editMetadata().withUid("u-1").endMetadata().build();

    ServiceView view = ServiceViews.view(stored);

    assertThat(view.key()).isEqualTo(new ServiceKey("default", "web"));
    assertThat(view.uid()).isEqualTo("u-1");
    assertThat(view.loadBalancer()).isTrue();
    assertThat(view.local()).isTrue();
    assertThat(view.internal()).isFalse();
    assertThat(view.families()).containsExactly(IpFamily.IPV4);
  }

  @Test
  void view_withTheAnnotation_hasItsValue() {
    Service marked =
        edit().editMetadata().addToAnnotations(Manage.KEY, "false").endMetadata().build();

    assertThat(ServiceViews.view(marked).manage().says()).contains(false);
    assertThat(ServiceViews.view(service).manage()).isEqualTo(Manage.ABSENT);
  }

  @Test
  void view_withoutUid_hasAnEmptyOne() {
    assertThat(ServiceViews.view(service).uid()).isEmpty();
  }

  @Test
  void view_policyCluster_isNotLocal() {
    ServiceView view =
        ServiceViews.view(edit().editSpec().withExternalTrafficPolicy("Cluster").endSpec().build());

    assertThat(view.loadBalancer()).isTrue();
    assertThat(view.local()).isFalse();
  }

  @Test
  void view_nodePortWithLocalPolicy_isNoLoadBalancer() {
    ServiceView view = ServiceViews.view(edit().editSpec().withType("NodePort").endSpec().build());

    assertThat(view.loadBalancer()).isFalse();
    assertThat(view.local()).isFalse();
  }

  @Test
  void view_beingDeleted_isALoadBalancerThatOwnsNoPool() {
    ServiceView view =
        ServiceViews.view(
            edit()
                .editMetadata()
                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                .endMetadata()
                .build());

    assertThat(view.loadBalancer()).isTrue();
    assertThat(view.local()).isFalse();
  }

  @Test
  void view_withoutSpec_isNoLoadBalancer() {
    assertThat(ServiceViews.view(edit().withSpec(null).build()).loadBalancer()).isFalse();
  }

  @Test
  void view_internalAnnotation_countsOnlyIfExactlyTrue() {
    assertThat(ServiceViews.view(annotated(INTERNAL, "true")).internal()).isTrue();
    assertThat(ServiceViews.view(annotated(INTERNAL, "True")).internal()).isFalse();
    assertThat(ServiceViews.view(annotated(INTERNAL, " true")).internal()).isFalse();
    assertThat(ServiceViews.view(annotated(INTERNAL, "false")).internal()).isFalse();
  }

  @Test
  void view_families_comeFromIpFamiliesThenClusterAddressesThenIpv4() {
    assertThat(families(edit().editSpec().withIpFamilies("IPv4", "IPv6").endSpec()))
        .containsExactlyInAnyOrder(IpFamily.IPV4, IpFamily.IPV6);
    assertThat(
            families(
                edit().editSpec().withIpFamilies(List.of()).withClusterIPs("fd00::1").endSpec()))
        .containsExactly(IpFamily.IPV6);
    assertThat(
            families(
                edit().editSpec().withIpFamilies(List.of()).withClusterIP("fd00::1").endSpec()))
        .containsExactly(IpFamily.IPV6);
    assertThat(
            families(edit().editSpec().withIpFamilies(List.of()).withClusterIP("None").endSpec()))
        .containsExactly(IpFamily.IPV4);
    assertThat(families(edit().editSpec().withIpFamilies(List.of()).endSpec()))
        .containsExactly(IpFamily.IPV4);
  }

  @Test
  void digest_specAnnotationsOrStatus_changesIt() {
    long before = ServiceViews.view(service).digest();

    assertThat(ServiceViews.view(annotated("a", "b")).digest()).isNotEqualTo(before);
    assertThat(
            ServiceViews.view(edit().editSpec().withLoadBalancerIP("1.2.3.4").endSpec().build())
                .digest())
        .isNotEqualTo(before);
    assertThat(
            ServiceViews.view(
                    edit()
                        .withNewStatus()
                        .withNewLoadBalancer()
                        .addNewIngress()
                        .withIp("1.2.3.4")
                        .endIngress()
                        .endLoadBalancer()
                        .endStatus()
                        .build())
                .digest())
        .isNotEqualTo(before);
  }

  @Test
  void addressed_hasAnIngress() {
    ServiceBuilder given =
        edit()
            .withNewStatus()
            .withNewLoadBalancer()
            .addNewIngress()
            .withIp("1.2.3.4")
            .endIngress()
            .endLoadBalancer()
            .endStatus();

    assertThat(ServiceViews.view(given.build()).addressed()).isTrue();
    assertThat(ServiceViews.view(service).addressed()).isFalse();
  }

  @Test
  void ofAnotherClass_isNoLoadBalancerOfTheCloudProvider() {
    Service other = edit().editSpec().withLoadBalancerClass("example.com/lb").endSpec().build();

    assertThat(ServiceViews.view(service).local()).isTrue();
    assertThat(ServiceViews.view(other).local()).isFalse();
    assertThat(ServiceViews.view(other).loadBalancer()).isFalse();
  }

  @Test
  void digest_managedFieldsVersionOrLabels_leaveIt() {
    Service stamped =
        edit()
            .editMetadata()
            .withResourceVersion("77")
            .withManagedFields(new ManagedFieldsEntryBuilder().withManager("kubectl").build())
            .addToLabels("a", "b")
            .endMetadata()
            .build();

    assertThat(ServiceViews.view(stamped)).isEqualTo(ServiceViews.view(service));
  }

  private ServiceBuilder edit() {
    return new ServiceBuilder(service);
  }

  private Service annotated(String key, String value) {
    return edit().editMetadata().addToAnnotations(key, value).endMetadata().build();
  }

  private static Iterable<IpFamily> families(ServiceBuilder service) {
    return ServiceViews.view(service.build()).families();
  }
}
