/**
 * How much of something a bench does: all it needs for good figures, or, with `--short`, as little as shows that it still
 * runs to its end.
 */
export function unlessShort<Value>(full: Value, short: Value): Value {
  return process.argv.includes('--short') ? short : full
}
