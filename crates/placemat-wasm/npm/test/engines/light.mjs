// The part of WPT's harness that its pages of characters use. These pages run a hundred thousand tests at once.

export function lightHarness() {
  const failures = [];
  let passed = 0;

  class Test {
    #name;
    #failure = null;

    constructor(name) {
      this.#name = name;
    }

    step(work) {
      try {
        return work.call(this);
      } catch (error) {
        this.#failure ??= `${error.message ?? error}`;
      }
    }

    done() {
      if (this.#failure === null) passed += 1;
      else failures.push({ status: 1, name: this.#name, message: this.#failure });
    }
  }

  const said = (value) => JSON.stringify(String(value));
  const own = {
    async_test: (name) => new Test(name),
    test: (work, name) => {
      const test = new Test(name);
      test.step(work);
      test.done();
    },
    setup: (work) => work?.(),
    subsetTest: (kind, ...rest) => kind(...rest),
    assert_equals: (found, wanted, message = "") => {
      if (!Object.is(found, wanted)) throw new Error(`${message} expected ${said(wanted)} but got ${said(found)}`);
    },
    assert_true: (found, message = "") => {
      if (found !== true) throw new Error(`${message} expected true`);
    },
  };
  return { own, tests: () => ({ passed, failed: failures.length, failures }) };
}
