/* The transcript page in its shell, and its loader: imported immediately if the URL is a transcript's. */
import '../shell/shell-route.tsx'
import '../transcript/page/transcript-loader.ts'
import '../transcript/page/transcript-route.tsx'
