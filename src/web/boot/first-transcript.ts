/* The page of a transcript in its frame, and its loader: imported at once where the address is that of one. */
import '../shell/shell-route.tsx'
import '../transcript/page/transcript-loader.ts'
import '../transcript/page/transcript-route.tsx'
