// How likely the next bit is a one, from the bits that came before it in the same context. Packing and unpacking run this code, and need the
// same numbers to the last bit. So it uses only what every engine rounds alike: no Math.exp, no Math.log.

/** Steps of the two tables. */
const STEPS = 4096;

/** Steps of a logit, the logarithm of p / (1 - p), for each 1. */
const PARTS = 256;

/** The probability for each logit, and the logit for each probability. */
const [probabilities, logits] = [new Float64Array(STEPS), new Float64Array(STEPS)];
for (let step = 0, power = 1; step < STEPS / 2; step++, power *= 1 + 1 / PARTS) {
  probabilities[STEPS / 2 + step] = power / (1 + power);
  probabilities[STEPS / 2 - step] = 1 / (1 + power);
}
for (let step = 0, at = 1; at < STEPS; at++) {
  while (step < STEPS && (step + 0.5) / STEPS < probabilities[at]) logits[step++] = (at - STEPS / 2) / PARTS;
}
logits[STEPS - 1] = 8;

/** Codes bits. Each context has two estimates, one that forgets soon and one that remembers, mixed by what has been right so far. */
function bitCoder() {
  // Numbers in an array, which engines keep as they are; a variable that a function closes over would be an object each time.
  const weights = new Float64Array([0.5, 0.5]);
  return {
    /** As many contexts: their two estimates, and how many bits have been seen. */
    contexts(count) {
      const [fast, slow, seen] = [0.5, 0.5, 1.5].map((start) => new Float64Array(count).fill(start));
      return { fast, slow, seen };
    },
    /** Learns the bit that `code` returns for the probability of a one. */
    bit({ fast, slow, seen }, nth, code) {
      const fastLogit = logits[(fast[nth] * STEPS) | 0];
      const slowLogit = logits[(slow[nth] * STEPS) | 0];
      const sum = STEPS / 2 + PARTS * (weights[0] * fastLogit + weights[1] * slowLogit);
      const odds = probabilities[Math.max(1, Math.min(sum, STEPS - 1)) | 0];
      const value = code(odds);
      const miss = (value - odds) / 200;
      weights[0] += miss * fastLogit;
      weights[1] += miss * slowLogit;
      const count = seen[nth]++;
      fast[nth] += (value - fast[nth]) / Math.min(count, 4);
      slow[nth] += (value - slow[nth]) / Math.min(count, 64);
      return value;
    },
  };
}
