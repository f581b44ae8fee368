/*
 * The landing page, the list of files in its shell: prefetched while waiting for something else. If that fails, the
 * page itself reports it when it is opened.
 */
import '../screens/files/files-route.tsx'
import '../shell/shell-route.tsx'
