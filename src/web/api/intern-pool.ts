/**
 * One object for all values that are equal as JSON, which saves memory where thousands are. Whoever gets one must not
 * change it. It can be shared by all of a page, as nobody can tell that it is.
 */
export class InternPool<Value> {
  readonly #byJson = new Map<string, Value>()
  readonly #limit: number

  /** @param limit values held at most; those beyond are given back as they are */
  constructor(limit: number) {
    this.#limit = limit
  }

  intern(value: Value): Value {
    const json = JSON.stringify(value)
    const known = this.#byJson.get(json)
    if (known !== undefined) return known
    if (this.#byJson.size < this.#limit) this.#byJson.set(json, value)
    return value
  }
}
