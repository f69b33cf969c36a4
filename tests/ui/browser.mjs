// A headless Chromium, spoken to over a pipe in the DevTools protocol, so that
// no port is opened and no package is needed.
import {spawn} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

const kPatienceMs = 10_000;

export class Browser {
  static async start(program) {
    const browser = new Browser();
    browser.profile = mkdtempSync(join(tmpdir(), "lamina-browser-"));
    browser.process = spawn(program, [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--remote-debugging-pipe", `--user-data-dir=${browser.profile}`,
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      "--no-first-run", "--disable-background-networking", "about:blank",
    ], {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
    browser.listen();
    const {targetInfos} = await browser.send("Target.getTargets");
    const {targetId} = targetInfos.find(({type}) => type === "page");
    const {sessionId} =
        await browser.send("Target.attachToTarget", {targetId, flatten: true});
    browser.session = sessionId;
    for (const domain of ["Page", "Runtime", "Log", "Network"]) {
      await browser.send(`${domain}.enable`);
    }
    return browser;
  }

  // What went wrong in the page, and where it asked.
  problems = [];
  requests = [];

  #next = 1;
  #waiting = new Map();
  #rest = "";

  listen() {
    this.process.stdio[4].setEncoding("utf8");
    this.process.stdio[4].on("data", (text) => {
      const messages = (this.#rest + text).split("\0");
      this.#rest = messages.pop();
      for (const message of messages) this.#take(JSON.parse(message));
    });
  }

  #take({id, result, error, method, params}) {
    const waiting = this.#waiting.get(id);
    if (waiting) {
      this.#waiting.delete(id);
      if (error) waiting.reject(new Error(error.message));
      else waiting.resolve(result);
    }
    if (method === "Runtime.exceptionThrown") {
      const {text, exception} = params.exceptionDetails;
      this.problems.push(exception?.description ?? text);
    } else if (method === "Log.entryAdded") {
      this.problems.push(`${params.entry.text} ${params.entry.url ?? ""}`);
    } else if (method === "Page.javascriptDialogOpening") {
      this.problems.push(`a dialog: ${params.message}`);
      this.send("Page.handleJavaScriptDialog", {accept: true});
    } else if (method === "Network.requestWillBeSent") {
      this.requests.push(params.request.url);
    }
  }

  send(method, params = {}) {
    const id = this.#next++;
    const message = {id, method, params};
    if (this.session) message.sessionId = this.session;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {resolve, reject});
      this.process.stdio[3].write(JSON.stringify(message) + "\0");
    });
  }

  // The value of an expression in the page, a promise awaited.
  async value(expression) {
    const {result, exceptionDetails} = await this.send("Runtime.evaluate", {
      expression, awaitPromise: true, returnByValue: true});
    if (exceptionDetails) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }

  // Waits until an expression is true in the page.
  async until(expression) {
    const end = Date.now() + kPatienceMs;
    while (!await this.value(`Boolean(${expression})`)) {
      if (Date.now() > end) throw new Error(`never came true: ${expression}`);
      await new Promise((done) => setTimeout(done, 25));
    }
  }

  async open(url) {
    await this.send("Page.navigate", {url: "about:blank"});
    await this.send("Page.navigate", {url});
    await this.until(`location.href === ${JSON.stringify(url)} && document.readyState === "complete"`);
  }

  async press(key, text = "") {
    const code = {Enter: 13, Tab: 9, " ": 32}[key];
    const event = {key, text, windowsVirtualKeyCode: code};
    await this.send("Input.dispatchKeyEvent", {type: text ? "keyDown" : "rawKeyDown", ...event});
    await this.send("Input.dispatchKeyEvent", {type: "keyUp", ...event});
  }

  type(text) {
    return this.send("Input.insertText", {text});
  }

  async resize(width, height, mobile = false) {
    await this.send("Emulation.setDeviceMetricsOverride",
                    {width, height, deviceScaleFactor: 1, mobile});
  }

  async colors(scheme) {
    await this.send("Emulation.setEmulatedMedia",
                    {features: [{name: "prefers-color-scheme", value: scheme}]});
  }

  async picture() {
    const {data} = await this.send("Page.captureScreenshot", {format: "png"});
    return Buffer.from(data, "base64");
  }

  async end() {
    const ended = new Promise((done) => this.process.once("exit", done));
    const late = setTimeout(() => this.process.kill("SIGKILL"), 5000);
    this.session = undefined;
    this.send("Browser.close").catch(() => {});
    await ended;
    clearTimeout(late);
    // Its helpers may still be writing there.
    rmSync(this.profile, {recursive: true, force: true, maxRetries: 20, retryDelay: 100});
  }
}
