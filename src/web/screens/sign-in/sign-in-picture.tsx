/** Heights of the bars, 0 to 1, resembling the waveform of a sentence. */
const bars = Array.from({ length: 96 }, (_, index) => {
  const syllable = Math.abs(Math.sin(index * 0.41) * Math.sin(index * 0.13 + 1))
  return 0.14 + 0.86 * syllable * (0.6 + 0.4 * Math.abs(Math.sin(index * 2.3)))
})
const spokenBars = 59

/** An illustration of the product: a waveform, its words, and the word being spoken. */
export function SignInPicture() {
  return (
    <aside className="grid place-items-center border-l border-line bg-sunken px-10 max-lg:hidden">
      <figure className="w-full max-w-[520px]">
        <svg viewBox="0 0 480 44" className="mb-10 w-full" aria-hidden="true">
          {bars.map((height, index) => (
            <rect
              key={index}
              x={index * 5}
              y={22 - height * 20}
              width="2.6"
              height={height * 40}
              rx="1.3"
              className={index < spokenBars ? 'fill-accent' : 'fill-line-strong'}
            />
          ))}
        </svg>
        {/* The device's serif: for one sentence, the reading font would be more than a third of the page's weight. */}
        <blockquote className="font-[ui-serif,Georgia,serif] text-[1.8rem] leading-[2.75rem]">
          “You could hear the river from every <mark className="rounded-sm bg-speech px-1 text-ink">kitchen.</mark>{' '}
          People forget that.”
        </blockquote>
        <figcaption className="mt-6 text-xs text-ink-3 tabular-nums">00:14 · Tom Reyes</figcaption>
      </figure>
    </aside>
  )
}
