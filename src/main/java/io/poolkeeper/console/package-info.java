/** What a terminal shows: texts of 80 columns, made of the API's JSON, in the words of the page. */
@NullMarked
package io.poolkeeper.console;

import org.jspecify.annotations.NullMarked;
