import { Fragment, isValidElement, type ReactNode } from 'react'

type Attributes = Record<string, unknown> & { children?: ReactNode; style?: Record<string, string | number> }

/**
 * Creates the document's nodes for what components return, once: for the moment before React's own renderer, fifty times
 * as long, is loaded.
 *
 * The rule for every component that the first sight draws (the rows of the list, its headings, its tabs, the frame): it is
 * a plain function of its props, without hooks, without icon components (they are SVG; use the icons of ui/icons), without
 * context; event handlers are ignored, so the list handles the events of its rows itself. draw-once.test.tsx draws each
 * of them.
 * @throws Error on SVG, on what is neither an element nor a plain component, and on hooks (React's own error)
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
  if (typeof name !== 'string' || name === 'svg')
    throw new Error(`${String(name)} cannot be drawn before React is here.`)
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
  // In ARIA and data attributes false is a value, in all others it means that the attribute is absent.
  else if (typeof value !== 'boolean' || /^(?:aria|data)-/.test(name)) element.setAttribute(name, String(value))
  else if (value) element.setAttribute(name, '')
}
