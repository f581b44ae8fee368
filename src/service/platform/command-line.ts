/** How this program is called, for sentences that tell what to run: the Debian package puts `parley` on the path. */
export const commandLine = import.meta.dirname.startsWith('/opt/parley/') ? 'parley' : 'npm run -s parley --'
