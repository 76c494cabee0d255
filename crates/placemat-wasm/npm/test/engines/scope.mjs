// Runs a script as if other classes than the engine's stood in its global scope, without touching that of anybody else.

const WORLDS = { isWindow: () => false, isWorker: () => false, isShadowRealm: () => false };

// A test that finds no document runs as in a shell, which needs no page.
const HIDDEN = new Set(["document", "window", "Window", "onmessage", "postMessage"]);

/** The global object as scripts see it: `own` before what the engine has. */
function globalOf(own) {
  const bound = new Map();
  const read = (key) => {
    // What every object has is asked of the scope itself.
    if (key in Object.prototype) return Object.prototype[key];
    const value = globalThis[key];
    // Functions of the global object want it as `this`; classes stay what they are.
    if (typeof value !== "function" || typeof key !== "string" || !/^[a-z]/.test(key)) return value;
    if (!bound.has(value)) bound.set(value, value.bind(globalThis));
    return bound.get(value);
  };
  return new Proxy(own, {
    has: (target, key) => !HIDDEN.has(key) && (key in target || key in globalThis),
    get: (target, key) => (key in target ? target[key] : HIDDEN.has(key) ? undefined : read(key)),
    getPrototypeOf: () => Object.prototype,
    getOwnPropertyDescriptor: (target, key) => {
      const descriptor = Object.getOwnPropertyDescriptor(key in target ? target : globalThis, key);
      return descriptor === undefined || HIDDEN.has(key) ? undefined : { ...descriptor, configurable: true };
    },
  });
}

/** Whether the engine evaluates text: workerd does not. */
function evaluates() {
  try {
    return (0, eval)("true");
  } catch {
    return false;
  }
}

/** Functions of a script are properties of its global object. */
function shared(source) {
  const names = [...source.matchAll(/^(?:async )?function\*? *(\w+)/gm)].map(([, name]) => `typeof ${name} === "function" && (self.${name} = ${name});`);
  return names.join(" ");
}

/** A scope in which `classes` are global, and `extra` stands beside them: what `run(source)` needs. */
export function scopeOf(compile, classes, extra) {
  const own = Object.create(null);
  const define = (key, value) =>
    Object.defineProperty(own, key, { value, writable: true, enumerable: false, configurable: true });
  for (const [key, value] of Object.entries(classes)) define(key, value);
  define("GLOBAL", WORLDS);
  define("location", { search: "", pathname: "/" });
  const seen = globalOf(own);
  for (const key of ["self", "globalThis"]) define(key, seen);
  for (const [key, value] of Object.entries(extra)) define(key, value);
  // Bare names: only what differs from the engine's own global scope.
  const names = new Proxy(own, {
    has: (target, key) => key !== Symbol.unscopables && key in target,
    get: (target, key) => (key === Symbol.unscopables ? undefined : target[key]),
    set: (target, key, value) => Reflect.set(target, key, value),
  });
  const run = (source) => compile(`with (names) {\n${shared(source)}\n${source}\n}`, "names").call(seen, names);
  // WPT's checks of interfaces evaluate expressions.
  if (!evaluates()) define("eval", (source) => run(`return (${source});`));
  return { own, run };
}
