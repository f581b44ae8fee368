type Props = {
  /** 0 to 100, or null where it cannot be known yet */
  percent: number | null
  label: string
  tone?: 'accent' | 'warn' | 'bad'
  className?: string
}

const tones = { accent: 'bg-accent', warn: 'bg-warn', bad: 'bg-bad' }

/**
 * How much is done. Shows nothing that is not known: without a number it breathes. It does not glide: a bar that does
 * repaints sixty times a second while an upload needs the processor.
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
      className={`h-1.5 overflow-hidden rounded-full bg-sunken forced-colors:border ${className}`}
    >
      <div
        className={`h-full rounded-full ${tones[tone]} ${percent === null ? 'animate-breathe' : ''}`}
        style={{ width: percent === null ? '100%' : `${Math.min(100, Math.max(0, percent))}%` }}
      />
    </div>
  )
}
