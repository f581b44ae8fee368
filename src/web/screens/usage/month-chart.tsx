import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Usage } from '../../../contract/account/usage.ts'
import type { Dates } from '../../base/ui/dates.ts'
import { moneyText } from '../../base/ui/money.ts'
import { usePreferences } from '../../signed-in/preferences/preferences.ts'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'

type Month = Usage['months'][number]
type Props = { months: readonly Month[]; currency: string }

const heightPx = 250

/** Charges by month, manual below automated. Arrow keys step through the months; the table has the same data. */
export function MonthChart({ months, currency }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<number | null>(null)
  const dates = useDates()
  const chart = useChart(place, months, currency, setShown)

  function onKeyDown(event: KeyboardEvent) {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const next = Math.min(months.length - 1, Math.max(0, (shown ?? (by > 0 ? -1 : months.length)) + by))
    chart.current?.setCursor({ left: chart.current.valToPos(next, 'x'), top: 0 })
    setShown(next)
  }

  const month = shown === null ? null : months[shown]
  const described = month ?? months.at(-1)
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
        onKeyDown={onKeyDown}
        className="min-w-0 rounded-md"
      />
      <p className="-mb-2 min-h-5 text-sm text-ink-2 tabular-nums">
        {described && monthText(described, currency, dates)}
      </p>
    </div>
  )
}

/** Draws the chart, and redraws it when its data, width or colors change. */
function useChart(
  place: RefObject<HTMLElement | null>,
  months: readonly Month[],
  currency: string,
  onShow: (index: number | null) => void,
): RefObject<uPlot | null> {
  const chart = useRef<uPlot | null>(null)
  const { theme } = usePreferences()
  const dates = useDates()
  useEffect(() => {
    const element = place.current
    if (!element) return
    const draw = () => {
      chart.current?.destroy()
      chart.current = new uPlot(chartOptions(element, months, currency, dates, onShow), toChartData(months), element)
    }
    draw()
    const resized = new ResizeObserver(() => chart.current?.setSize({ width: element.clientWidth, height: heightPx }))
    resized.observe(element)
    // A canvas reads colors when drawn: redraw on a theme change.
    const scheme = window.matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', draw)
    return () => {
      resized.disconnect()
      scheme.removeEventListener('change', draw)
      chart.current?.destroy()
      chart.current = null
    }
  }, [place, months, currency, dates, theme, onShow])
  return chart
}

function monthText(month: Month, currency: string, dates: Dates): string {
  const parts = [
    `${moneyText(month.manual_cents, currency)} manual`,
    `${moneyText(month.automated_cents, currency)} automated`,
    ...(month.refunded_cents > 0 ? [`${moneyText(month.refunded_cents, currency)} refunded`] : []),
  ]
  return `${dates.longMonth(month.month)}: ${parts.join(', ')}`
}

/** Stacked bars: the total is drawn first, then its lower part on top. */
function toChartData(months: readonly Month[]): uPlot.AlignedData {
  return [
    months.map((_, index) => index),
    months.map(({ manual_cents, automated_cents }) => (manual_cents + automated_cents) / 100),
    months.map(({ manual_cents }) => manual_cents / 100),
  ]
}

/** The axis interval, in the chart's currency: 1, 2 or 5 times a power of ten, at most five of them. */
function amountStep(max: number): number {
  const rough = Math.max(max, 1) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  return power * ([1, 2, 5].find((each) => each * power >= rough) ?? 10)
}

/** Widths of a month label and of the amount axis. */
const monthWidthPx = 36
const amountsWidthPx = 68
/** Height of the month axis. */
const monthsHeightPx = 28

/** Indexes of the labeled months: as many as fit side by side, always including the newest. */
function monthsNamed(count: number, widthPx: number): number[] {
  const every = Math.max(1, Math.ceil((count * monthWidthPx) / Math.max(1, widthPx - amountsWidthPx)))
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % every === 0)
}

/** Resolves a color token at an element. A canvas does not support light-dark(): the browser resolves it there. */
function readColor(element: HTMLElement, token: string, forced = 'auto'): string {
  const probe = element.appendChild(document.createElement('i'))
  probe.style.forcedColorAdjust = forced
  probe.style.color = `var(${token})`
  const resolved = getComputedStyle(probe).color
  probe.remove()
  return resolved
}

function makeBars(element: HTMLElement, label: string, token: string): uPlot.Series {
  const paths = uPlot.paths.bars?.({ size: [0.44, 44, 3], radius: 0.08 })
  // Colors distinguish the kinds: use the theme's even in forced-colors mode.
  return { label, fill: readColor(element, token, 'none'), width: 0, points: { show: false }, ...(paths && { paths }) }
}

function chartOptions(
  element: HTMLElement,
  months: readonly Month[],
  currency: string,
  dates: Dates,
  onShow: (index: number | null) => void,
): uPlot.Options {
  const font = `12px ${getComputedStyle(element).fontFamily}`
  const step = amountStep(Math.max(...months.map((month) => month.manual_cents + month.automated_cents)) / 100)
  const axis = { stroke: readColor(element, '--color-ink-3'), font, ticks: { show: false } }
  return {
    width: element.clientWidth,
    height: heightPx,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    hooks: { setCursor: [(plot) => onShow(plot.cursor.idx ?? null)] },
    scales: {
      x: { time: false, range: [-0.6, Math.max(months.length, 6) - 0.4] },
      // Keep bars below the top line.
      y: { range: (_, __, max) => [0, Math.max(step, Math.ceil(max / step) * step)] },
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
        splits: (_, __, ___, max) => Array.from({ length: Math.round(max / step) + 1 }, (____, line) => line * step),
        grid: { stroke: readColor(element, '--color-line'), width: 1 },
        values: (_, splits) => splits.map((value) => moneyText(Math.round(value * 100), currency).replace(/\.00$/, '')),
      },
    ],
    series: [{}, makeBars(element, 'Automated', '--color-chart-2'), makeBars(element, 'Manual', '--color-accent')],
  }
}
