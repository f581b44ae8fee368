import { Fragment } from 'react'
import { PanelSection } from '../../transcript/panel/panel-section.tsx'

/** The operator's Markdown: headings, lists, paragraphs, and strong or literal words; anything else is plain text. */
export function HouseStyle({ text }: { text: string }) {
  const blocks = text.split(/\n\s*\n|\n(?=#)|(?<=^#.*)\n/mu).map((block) => block.trim())
  return (
    <PanelSection title="House style">
      <details className="text-ink-2">
        <summary className="cursor-pointer">How things are written here</summary>
        <div className="mt-2 grid gap-2">
          {blocks.map((block, index) => (
            <Block key={index} text={block} />
          ))}
        </div>
      </details>
    </PanelSection>
  )
}

const bullet = /^\s*(?:[-*]|\d+[.)])\s+/u

function Block({ text }: { text: string }) {
  const heading = /^#+\s+(.*)$/u.exec(text)?.[1]
  if (heading !== undefined) return <h4 className="font-semibold text-ink">{heading}</h4>
  if (!bullet.test(text)) return <p>{inline(text)}</p>
  return (
    <ul className="grid list-disc gap-1 pl-5">
      {text.split(/\n(?=\s*(?:[-*]|\d+[.)])\s)/u).map((item) => (
        <li key={item}>{inline(item.replace(bullet, ''))}</li>
      ))}
    </ul>
  )
}

function inline(text: string) {
  return text.split(/(\*\*.+?\*\*|`.+?`)/u).map((piece, index) => {
    if (/^\*\*.+\*\*$/u.test(piece)) return <strong key={index}>{piece.slice(2, -2)}</strong>
    if (/^`.+`$/u.test(piece)) return <code key={index}>{piece.slice(1, -1)}</code>
    return <Fragment key={index}>{piece}</Fragment>
  })
}
