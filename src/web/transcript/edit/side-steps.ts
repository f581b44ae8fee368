/** Undoes it, or does it again. */
type SideStep = (isDone: boolean) => void

/** What was done after the last step of a text and changes none of it, such as checks: undo and redo know it, too. */
export class SideSteps {
  #done: SideStep[] = []
  #undone: SideStep[] = []
  readonly #onChange: () => void

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  get canUndo(): boolean {
    return this.#done.length > 0
  }

  get canRedo(): boolean {
    return this.#undone.length > 0
  }

  did(step: SideStep): void {
    this.#done.push(step)
    this.#undone = []
    this.#onChange()
  }

  /** Leaves as it is what was done: it is not undone any more. */
  forget(): void {
    this.#done = []
    this.#undone = []
  }

  /** @returns false if there is none */
  undo(): boolean {
    return this.#move(this.#done, this.#undone, false)
  }

  /** @returns false if there is none */
  redo(): boolean {
    return this.#move(this.#undone, this.#done, true)
  }

  #move(from: SideStep[], to: SideStep[], isDone: boolean): boolean {
    const step = from.pop()
    if (step === undefined) return false
    to.push(step)
    step(isDone)
    this.#onChange()
    return true
  }
}
