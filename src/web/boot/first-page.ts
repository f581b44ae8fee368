/*
 * The page that people come to, the list of files in its frame: imported while something else is waited for. Where that
 * fails the page itself says so when it is opened.
 */
import '../screens/files/files-route.tsx'
import '../shell/shell-route.tsx'
