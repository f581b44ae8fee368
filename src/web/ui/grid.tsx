import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'div'>, 'role'> & {
  role: 'grid' | 'rowgroup' | 'row' | 'gridcell' | 'columnheader' | 'rowheader' | 'separator'
}

/**
 * A part of a grid by its role on a plain element: rows that are placed by script, a few of thousands at a time, cannot
 * be the rows of a native table. The row in use takes the focus, its cells do not (ARIA practices, "data grids").
 */
export function GridPart({ role, ...rest }: Props) {
  return <div role={role} {...rest} />
}
