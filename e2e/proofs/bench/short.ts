/**
 * Amount of work of a bench: enough for good figures, or, with `--short`, the minimum that shows that it still
 * completes.
 */
export function unlessShort<Value>(full: Value, short: Value): Value {
  return process.argv.includes('--short') ? short : full
}
