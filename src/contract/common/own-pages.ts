/** Pages that an operator may write, in the order of their links. Each is an address, and a file of that name. */
export const ownPageNames = ['privacy', 'terms', 'imprint', 'processors', 'accessibility'] as const
