/** As much of a document as `drawOnce` writes to, where tests have no browser. */
class PlainNode {
  readonly name: string
  readonly attributes: Record<string, string> = {}
  readonly children: (PlainNode | string)[] = []
  className = ''
  readonly style = { setProperty: () => {} }

  constructor(name: string) {
    this.name = name
  }

  setAttribute(name: string, value: string): void {
    this.attributes[name] = value
  }

  appendChild(child: PlainNode | string): void {
    this.children.push(child)
  }

  get textContent(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.textContent)).join('')
  }
}

/** Puts it in place of the browser's document. */
export function installPlainDocument(): void {
  const plain = {
    createDocumentFragment: () => new PlainNode('#fragment'),
    createElement: (name: string) => new PlainNode(name),
    createTextNode: (text: string) => text,
    documentElement: { dataset: {} },
  }
  Object.assign(globalThis, { document: plain })
}
