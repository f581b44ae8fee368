import { Fragment, isValidElement, type ReactNode } from 'react'

type Attributes = Record<string, unknown> & { children?: ReactNode; style?: Record<string, string | number> }

/**
 * Makes the document's nodes for what components give, once: for the moment before React's own renderer, which is fifty
 * times as long, has been loaded. Components may use no hooks; what listens to events hears none.
 * @throws Error on pictures (SVG) and on what is neither a plain component nor an element
 */
export function drawOnce(node: ReactNode): DocumentFragment {
  const fragment = document.createDocumentFragment()
  append(fragment, node)
  return fragment
}

function append(parent: Node, node: ReactNode): void {
  if (node === null || node === undefined || typeof node === 'boolean') return
  if (Array.isArray(node)) for (const one of node as ReactNode[]) append(parent, one)
  else if (!isValidElement<Attributes>(node)) parent.appendChild(document.createTextNode(String(node)))
  else if (node.type === Fragment) append(parent, node.props.children)
  else if (typeof node.type === 'function') {
    const component = node.type as (props: Attributes) => ReactNode
    append(parent, component(node.props))
  } else parent.appendChild(elementOf(node.type, node.props))
}

function elementOf(name: unknown, { children, style = {}, ...attributes }: Attributes): HTMLElement {
  if (typeof name !== 'string' || name === 'svg') throw new Error(`${String(name)} cannot be drawn.`)
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) setAttribute(element, attribute, value)
  for (const [property, value] of Object.entries(style)) {
    if (property.startsWith('--')) element.style.setProperty(property, String(value))
    else Object.assign(element.style, { [property]: typeof value === 'number' ? `${value}px` : value })
  }
  append(element, children)
  return element
}

function setAttribute(element: HTMLElement, name: string, value: unknown): void {
  if (value === null || value === undefined || typeof value === 'function') return
  if (name === 'className') element.className = String(value)
  // False is a word of these two kinds of attribute, and the absence of all others.
  else if (typeof value !== 'boolean' || /^(?:aria|data)-/.test(name)) element.setAttribute(name, String(value))
  else if (value) element.setAttribute(name, '')
}
