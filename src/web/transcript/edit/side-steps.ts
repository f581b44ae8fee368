type SideStep = { undo: () => void; redo: () => void }

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
    const step = this.#done.pop()
    if (step === undefined) return false
    this.#undone.push(step)
    step.undo()
    this.#onChange()
    return true
  }

  /** @returns false if there is none */
  redo(): boolean {
    const step = this.#undone.pop()
    if (step === undefined) return false
    this.#done.push(step)
    step.redo()
    this.#onChange()
    return true
  }
}
