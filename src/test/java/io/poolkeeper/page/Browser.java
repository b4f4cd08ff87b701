package io.poolkeeper.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Debian's Chromium without a screen, looking at the status page. */
public final class Browser implements AutoCloseable {
  private static final Path SCREENS = Path.of("target", "screens");
  private static final Duration SOON = Duration.ofSeconds(5);

  /** What is readable of the text of an element: the worst contrast of all that is visible. */
  private static final String WORST_CONTRAST =
      """
      const light = ([r, g, b]) => {
        const part = v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
        return .2126 * part(r) + .7152 * part(g) + .0722 * part(b);
      };
      const rgb = text => text.match(/[\\d.]+/g).map(Number);
      const behind = e => {
        for (; e; e = e.parentElement) {
          const color = rgb(getComputedStyle(e).backgroundColor);
          if (color.length < 4 || color[3] > 0) return color;
        }
        return [255, 255, 255];
      };
      let worst = [99, ''];
      for (const e of document.querySelectorAll('body *')) {
        const own = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
        if (!own || !e.checkVisibility() || e.closest('[aria-hidden=true], svg')) continue;
        const one = light(rgb(getComputedStyle(e).color)), other = light(behind(e));
        const ratio = (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
        if (ratio < worst[0]) worst = [ratio, e.className + ': ' + e.textContent.slice(0, 40)];
      }
      return worst;
      """;

  private final ChromeDriver driver;

  /** Starts it. */
  public Browser() {
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary("/usr/bin/chromium");
    options.setCapability("goog:loggingPrefs", logs);
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--window-size=1440,900");
    driver =
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(Path.of("/usr/bin/chromedriver").toFile())
                .usingAnyFreePort()
                .build(),
            options);
  }

  /** Looks at a page. */
  public void open(URI page) {
    driver.get("about:blank");
    driver.manage().logs().get(LogType.BROWSER); // what was before is not of this page
    driver.get(page.toString());
  }

  /** The page's sentence. */
  public String headline() {
    return one("#headline").getText();
  }

  /** Waits until the sentence has that in it, five seconds at most. */
  public void awaitHeadline(String part) {
    Awaitility.await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(() -> assertThat(headline()).contains(part));
  }

  /** Waits until there is such an element. */
  public void await(String selector, Duration atMost) {
    Awaitility.await()
        .atMost(atMost)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(() -> assertThat(all(selector)).as(selector).isNotEmpty());
  }

  /** Waits until the element has all of these texts. */
  public void awaitText(String selector, String... parts) {
    Awaitility.await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(() -> assertThat(one(selector).getText()).contains(parts));
  }

  public WebElement one(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  public List<WebElement> all(String selector) {
    return driver.findElements(By.cssSelector(selector));
  }

  /** Presses keys where the focus is. */
  public void press(CharSequence... keys) {
    driver.switchTo().activeElement().sendKeys(keys);
  }

  public void escape() {
    press(Keys.ESCAPE);
  }

  public void back() {
    driver.navigate().back();
  }

  /** What was copied last. */
  public String clipboard() {
    driver.executeCdpCommand(
        "Browser.grantPermissions", Map.of("permissions", List.of("clipboardReadWrite")));
    return String.valueOf(
        driver.executeAsyncScript("navigator.clipboard.readText().then(arguments[0])"));
  }

  public String title() {
    return driver.getTitle();
  }

  /** Runs a script. */
  public Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** Runs a script that calls its last argument with the answer. */
  public Object runAsync(String script) {
    return driver.executeAsyncScript(script);
  }

  /** The element that has the focus, if the page says which row it is in. */
  public String focusedRow() {
    return String.valueOf(
        run("return document.activeElement.closest('[data-id]')?.dataset.id ?? 'none'"));
  }

  public void size(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    driver.manage().window().setSize(new Dimension(Math.max(500, width), height));
  }

  /** Chooses a theme, as the machine's setting. */
  public void theme(String name) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", name))));
  }

  /** Keeps what is seen, for people. */
  public void screen(String name) {
    try {
      Files.createDirectories(SCREENS);
      Files.write(SCREENS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Neither scrolls sideways at any width, nor is hard to read in any theme. */
  public void assertReadable(String name) {
    for (int width : List.of(320, 768, 1440)) {
      size(width, 900);
      assertThat((Long) run("return document.documentElement.scrollWidth"))
          .as("%s at %d px", name, width)
          .isLessThanOrEqualTo(width);
    }
    for (String theme : List.of("dark", "light")) {
      theme(theme);
      List<?> worst = (List<?>) run(WORST_CONTRAST);
      assertThat(((Number) worst.get(0)).doubleValue())
          .as("%s, %s: %s", name, theme, worst.get(1))
          .isGreaterThanOrEqualTo(4.5);
      screen(name + "-" + theme);
    }
  }

  /** Nothing was written to the console, and no other host was asked. */
  public void assertQuiet() {
    assertThat(driver.manage().logs().get(LogType.BROWSER).getAll())
        .extracting(LogEntry::getMessage)
        .isEmpty();
    assertThat(
            (List<?>)
                run(
                    "return performance.getEntriesByType('resource').map(e => e.name)"
                        + ".filter(name => !name.startsWith(location.origin + '/'))"))
        .isEmpty();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
