import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Usage } from '../../contract/account-usage.ts'
import { useDates, usePreferences } from '../preferences/preferences.ts'
import type { Dates } from '../ui/dates.ts'
import { moneyText } from '../ui/money.ts'

type Month = Usage['months'][number]
type Props = { months: readonly Month[]; currency: string }

const heightPx = 250

/** Charges by month, manual below automated. Arrow keys step through the months; the table beside it says the same. */
export function MonthChart({ months, currency }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const [shown, setShown] = useState<number | null>(null)
  const { theme } = usePreferences()
  const dates = useDates()

  useEffect(() => {
    const element = place.current
    if (!element) return
    const draw = () => {
      chart.current?.destroy()
      chart.current = new uPlot(optionsOf(element, months, currency, dates, setShown), dataOf(months), element)
    }
    draw()
    const resized = new ResizeObserver(() => chart.current?.setSize({ width: element.clientWidth, height: heightPx }))
    resized.observe(element)
    // Canvas colours are read once; another theme draws anew.
    const scheme = window.matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', draw)
    return () => {
      resized.disconnect()
      scheme.removeEventListener('change', draw)
      chart.current?.destroy()
      chart.current = null
    }
  }, [months, currency, dates, theme])

  function step(by: number) {
    const next = Math.min(months.length - 1, Math.max(0, (shown ?? (by > 0 ? -1 : months.length)) + by))
    const plot = chart.current
    if (plot) plot.setCursor({ left: plot.valToPos(next, 'x'), top: 0 })
    setShown(next)
  }

  const month = shown === null ? null : months[shown]
  return (
    <div className="grid gap-1">
      <div
        ref={place}
        role="slider"
        tabIndex={0}
        aria-label="Charges by month"
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, months.length - 1)}
        aria-valuenow={shown ?? 0}
        aria-valuetext={month ? monthText(month, currency, dates) : 'Arrow keys step through the months'}
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight') step(1)
          else if (event.key === 'ArrowLeft') step(-1)
          else return
          event.preventDefault()
        }}
        className="min-w-0 rounded-md"
      />
      <p className="min-h-5 text-sm text-ink-2 tabular-nums">{month && monthText(month, currency, dates)}</p>
    </div>
  )
}

function monthText(month: Month, currency: string, dates: Dates): string {
  const parts = [
    `${moneyText(month.manual_cents, currency)} manual`,
    `${moneyText(month.automated_cents, currency)} automated`,
    ...(month.refunded_cents > 0 ? [`${moneyText(month.refunded_cents, currency)} refunded`] : []),
  ]
  return `${dates.longMonth(month.month)}: ${parts.join(', ')}`
}

/** Stacked bars are drawn back to front: the sum first, then its lower part over it. */
function dataOf(months: readonly Month[]): uPlot.AlignedData {
  return [
    months.map((_, index) => index),
    months.map(({ manual_cents, automated_cents }) => (manual_cents + automated_cents) / 100),
    months.map(({ manual_cents }) => manual_cents / 100),
  ]
}

/** Room that the name of a month takes, and that the axis of amounts takes. */
const monthWidthPx = 36
const amountsWidthPx = 68
/** Height of the line of months. */
const monthsHeightPx = 28

/** Which months are named: every one, or as many as stand side by side, the newest always. */
function monthsNamed(count: number, widthPx: number): number[] {
  const every = Math.max(1, Math.ceil((count * monthWidthPx) / Math.max(1, widthPx - amountsWidthPx)))
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % every === 0)
}

function optionsOf(
  element: HTMLElement,
  months: readonly Month[],
  currency: string,
  dates: Dates,
  onShow: (index: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(element)
  const colour = (name: string) => {
    // Canvas knows no light-dark(): the browser resolves the token on an element.
    const probe = element.appendChild(document.createElement('i'))
    probe.style.color = `var(${name})`
    const resolved = getComputedStyle(probe).color
    probe.remove()
    return resolved
  }
  const ink = colour('--color-ink-3')
  const bars = uPlot.paths.bars?.({ size: [0.44, 44, 3], radius: 0.08 })
  const font = `12px ${style.fontFamily}`
  const axis = { stroke: ink, font, ticks: { show: false } }
  return {
    width: element.clientWidth,
    height: heightPx,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    hooks: { setCursor: [(plot) => onShow(plot.cursor.idx ?? null)] },
    scales: {
      x: { time: false, range: [-0.6, Math.max(months.length, 6) - 0.4] },
      y: { range: (_, __, max) => [0, Math.max(1, max * 1.05)] },
    },
    axes: [
      {
        ...axis,
        size: monthsHeightPx,
        grid: { show: false },
        splits: (plot) => monthsNamed(months.length, plot.width),
        values: (_, splits) => splits.map((index) => dates.shortMonth(months[index]?.month ?? '')),
      },
      {
        ...axis,
        size: amountsWidthPx,
        grid: { stroke: colour('--color-line'), width: 1 },
        values: (_, splits) => splits.map((value) => moneyText(Math.round(value * 100), currency).replace(/\.00$/, '')),
      },
    ],
    series: [
      {},
      {
        label: 'Automated',
        fill: colour('--color-chart-2'),
        width: 0,
        points: { show: false },
        ...(bars && { paths: bars }),
      },
      {
        label: 'Manual',
        fill: colour('--color-accent'),
        width: 0,
        points: { show: false },
        ...(bars && { paths: bars }),
      },
    ],
  }
}
