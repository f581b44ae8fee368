/** As many files as one answer of the account interface holds at most. No zod here: workers load this. */
export const maxFilesPerPage = 1_000
