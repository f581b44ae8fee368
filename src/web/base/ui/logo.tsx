/** The logo: a few bars of a waveform. */
export function Logo({ className = '' }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.6"
      strokeLinecap="round"
      aria-hidden="true"
      className={`text-accent ${className}`}
    >
      <path d="M4 14v4M9 11v10M14 5v22M19 9v14M24 6v20M28.5 14v4" />
    </svg>
  )
}
