type Props = {
  /** 0 to 100, or null while unknown */
  percent: number | null
  label: string
  tone?: 'accent' | 'warn' | 'bad'
  className?: string
}

const tones = { accent: 'bg-accent', warn: 'bg-warn', bad: 'bg-bad' }

/**
 * A progress bar; it pulses while progress is unknown. Changes are not animated: that would repaint sixty times a
 * second while an upload needs the processor.
 */
export function ProgressBar({ percent, label, tone = 'accent', className = '' }: Props) {
  const known = percent === null ? {} : { 'aria-valuenow': Math.floor(percent) }
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...known}
      className={`h-1.5 overflow-hidden rounded-full bg-[light-dark(var(--color-line),var(--color-line-strong))] forced-colors:border ${className}`}
    >
      <div
        className={`h-full rounded-full forced-colors:bg-[Highlight] ${tones[tone]} ${percent === null ? 'animate-breathe' : ''}`}
        style={{ width: percent === null ? '100%' : `${Math.min(100, Math.max(0, percent))}%` }}
      />
    </div>
  )
}
