// Runs a script with other classes than the engine's in its global scope, without changing the real global scope.

const WORLDS = { isWindow: () => false, isWorker: () => false, isShadowRealm: () => false };

// Without these, a test runs as in a shell and needs no page.
const HIDDEN = new Set(["document", "window", "Window", "onmessage", "postMessage"]);

/** The global object as scripts see it: properties of `own` take precedence over the engine's. */
function globalOf(own) {
  const bound = new Map();
  const read = (key) => {
    // Properties that every object has come from `Object.prototype`.
    if (key in Object.prototype) return Object.prototype[key];
    const value = globalThis[key];
    // Functions of the global object need it as `this`; classes are not bound.
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

/** Whether the engine allows `eval`: workerd does not. */
function evaluates() {
  try {
    return (0, eval)("true");
  } catch {
    return false;
  }
}

/** The code that makes functions of a script properties of its global object, as in a page. */
function shared(source) {
  const names = [...source.matchAll(/^(?:async )?function\*? *(\w+)/gm)].map(([, name]) => `typeof ${name} === "function" && (self.${name} = ${name});`);
  return names.join(" ");
}

/** Makes a scope in which `classes` and `extra` are global, with a function `run(source)`. */
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
  // Names without `self.`: only those that differ from the engine's own global scope.
  const names = new Proxy(own, {
    has: (target, key) => key !== Symbol.unscopables && key in target,
    get: (target, key) => (key === Symbol.unscopables ? undefined : target[key]),
    set: (target, key, value) => Reflect.set(target, key, value),
  });
  const run = (source) => compile(`with (names) {\n${shared(source)}\n${source}\n}`, "names").call(seen, names);
  // WPT's tests of interfaces evaluate expressions.
  if (!evaluates()) define("eval", (source) => run(`return (${source});`));
  return { own, run };
}
