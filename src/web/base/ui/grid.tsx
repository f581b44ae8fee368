import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'div'>, 'role'> & {
  role: 'grid' | 'rowgroup' | 'row' | 'gridcell' | 'columnheader' | 'rowheader' | 'separator'
}

/**
 * A part of an ARIA grid on a plain element: rows of a virtualized list cannot be those of a native table. The active
 * row takes focus, its cells do not (ARIA practices, "data grids").
 */
export function GridPart({ role, ...rest }: Props) {
  return <div role={role} {...rest} />
}
