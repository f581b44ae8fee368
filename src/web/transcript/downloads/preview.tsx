import { useQuery } from '@tanstack/react-query'
import { type ExportFormat, formatTable } from '../../../formats/format-table.ts'
import { type MakeRequest, type Preview, previewFile } from './make-file.ts'

const paper = 'overflow-hidden rounded-md border border-line shadow-low'

type Props = {
  /** identifies the previewed text, apart from the choices */
  textKey: string
  wanted: MakeRequest
}

/** Previews the beginning of a file, using the renderer that makes it. */
export function FilePreview({ textKey, wanted }: Props) {
  const { about, format, captions } = wanted
  const { data, isError } = useQuery({
    queryKey: ['preview', textKey, format, about, captions],
    queryFn: () => previewFile(wanted),
    placeholderData: (before) => before,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <figure className="grid min-w-0 content-start gap-2">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
      <section aria-label="Preview" tabIndex={0} className="h-[28rem] overflow-auto rounded-md">
        {isError && <p className="p-3 text-bad">No preview could be made.</p>}
        {!isError && data === undefined && <p className="p-3 text-ink-3">Preparing the preview…</p>}
        {!isError && data && <Shown preview={data} />}
      </section>
      <figcaption className="text-sm text-ink-3">{describePreview(format)}</figcaption>
    </figure>
  )
}

function describePreview(format: ExportFormat): string {
  const { kind, isTypeset, previewedAs } = formatTable[format]
  if (previewedAs) return 'Its first captions.'
  if (kind !== 'document') return 'The first lines of the file.'
  return isTypeset ? 'The first page.' : 'As the first page of the PDF; word processors may break lines elsewhere.'
}

function Shown({ preview }: { preview: Preview }) {
  if (preview.page === null) {
    return (
      <pre className={`${paper} bg-sunken p-3 font-mono text-xs break-words whitespace-pre-wrap`}>{preview.text}</pre>
    )
  }
  const { width, height, texts } = preview.page
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className={`${paper} w-full`} fontFamily='"Source Serif 4", serif'>
      <title>First page</title>
      {/* Paper is white in dark mode, too. */}
      <rect width={width} height={height} fill="#fff" />
      {texts.map(({ text, x, y, size, color, bold, width: length, rightToLeft, doubtful }, index) => (
        <g key={index}>
          <text
            x={rightToLeft ? x + length : x}
            y={y}
            fontSize={size}
            fill={`#${color}`}
            fontWeight={bold ? 600 : 400}
            textLength={length || undefined}
            direction={rightToLeft ? 'rtl' : 'ltr'}
          >
            {text}
          </text>
          {doubtful && <path d={`M${x} ${y + 2.5}h${length}`} stroke="#b5540a" strokeDasharray="1 1.5" />}
        </g>
      ))}
    </svg>
  )
}
