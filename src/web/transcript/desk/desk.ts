import type { TextShape } from '../../../formats/read-txt.ts'
import { highestDoubt, worstTenth } from '../../../text/doubtful-words.ts'
import { Signal } from '../../base/state/signal.ts'
import { preferences } from '../../signed-in/preferences/preferences.ts'
import type { Place } from '../../signed-in/transcript-place.ts'
import { findWords } from '../edit/current-range.ts'
import type { Voiced } from '../edit/retime.ts'
import { type TextState, TranscriptText } from '../model/transcript-text.ts'
import type { WordSpan } from '../model/word.ts'
import type { WordTable } from '../model/word-table.ts'
import type { WordsLoad } from '../model/words-load.ts'
import { Playback } from '../player/playback.ts'
import { ReaderView } from '../view/reader-view.ts'
import { blockOfNode, selectedWords } from '../view/selection.ts'
import type { ShownText } from '../view/shown-text.ts'
import { FindInText } from './find-in-text.ts'
import { readingSettings } from './reading-settings.ts'

/**
 * Controller of one open transcript, outside React: connects text, player and view. React subscribes to its signals.
 * Longer than most: what the parts of a page share meets here.
 */
export class Desk {
  readonly text = new TranscriptText()
  readonly playback: Playback
  readonly find = new FindInText(this.text, () => this.view)
  /** the text scrolls along with playback until the reader scrolls */
  readonly following = new Signal(true)
  /** the words played in a loop */
  readonly loop = new Signal<WordSpan | null>(null)
  /** the doubtful words being looked at; null: none */
  readonly doubt = new Signal<WordSpan | null>(null)
  /** default doubt threshold of this text, used unless the reader has set one */
  readonly usualDoubt = new Signal(highestDoubt)
  /** false for a text that people have typed and checked, whose confidences are those of recognition */
  readonly hasDoubts = new Signal(true)
  /** when the recording began, in seconds of the day; undefined: times count from 0 */
  readonly beginsAt = new Signal<number | undefined>(undefined)
  /** the speaker whose turns alone are shown; null: all are */
  readonly only = new Signal<number | null>(null)
  /** the turn whose speaker's menu is open, or was last: a word of it, and the element that it opens at */
  readonly speakerMenu = new Signal<{ word: number; anchor: HTMLElement; open: boolean } | null>(null)
  /** speakers' names are buttons */
  hasSpeakerMenu = false
  view: ReaderView | null = null
  /** when the last turn may end, in seconds; null: not known */
  endsAt: number | null = null
  /** where somebody speaks, once that is known: what is typed over a turn is timed by it */
  voiced: Voiced | null = null
  /** decorates the element of each block when it is created */
  mark: ((block: number, element: HTMLElement) => void) | null = null
  /** target to scroll to once its words are loaded */
  #pendingPlace: Place | null = null
  #fresh: WordSpan | null = null
  #spoken = -1
  #startedByClick = false
  #looped: WordSpan | null = null
  #isMeasured = false

  /** @param renew requests a fresh media URL when the old one has expired; null: there is none */
  constructor(renew: () => Promise<string | null>) {
    this.playback = new Playback({
      nextChange: (seconds) => this.text.times.nextChange(seconds),
      renew,
      jumpBackSeconds: () => preferences.get().jumpBackSeconds,
    })
    this.playback.onTime((seconds) => this.#onTime(seconds))
  }

  close(): void {
    this.text.close()
    this.playback.close()
  }

  /** Renders the text into these elements. Returns a function that detaches it. */
  attach(scroller: HTMLElement, sheet: HTMLElement): () => void {
    const view = new ReaderView(
      scroller,
      sheet,
      this.#shown(),
      (block, element) => this.mark?.(block, element),
      () => this.only.set(null),
    )
    this.view = view
    const stops = [
      this.text.state.subscribe(() => this.#onTextChange()),
      readingSettings.subscribe(() => this.#onSettingsChange()),
      this.hasDoubts.subscribe(() => view.restyle(this.#shown())),
      this.only.subscribe(() => {
        view.show(this.#shown())
        this.find.refresh()
      }),
      this.beginsAt.subscribe(() => view.restyle(this.#shown())),
    ]
    this.#goToPendingPlace()
    return () => {
      for (const stop of stops) stop()
      view.close()
      this.view = null
    }
  }

  #shown(): ShownText {
    const { table, blocks, names } = this.text.state.get()
    const [doubtBelow, beginsAtSeconds] = [this.#underlinedBelow, this.beginsAt.get()]
    const [only, hasSpeakerMenu] = [this.only.get(), this.hasSpeakerMenu]
    return { table, blocks, names, doubtBelow, beginsAtSeconds, fresh: this.#fresh, only, hasSpeakerMenu }
  }

  /** Opens the menu of a turn's speaker, if the page has one. */
  openSpeakerMenu(block: number, anchor: HTMLElement): void {
    const word = this.text.state.get().blocks.first(block)
    if (this.hasSpeakerMenu) this.speakerMenu.set({ word, anchor, open: true })
  }

  /** Decorates the elements of all blocks again. */
  markAll(): void {
    this.view?.markAll()
  }

  /** Words with a lower confidence are doubtful. */
  get doubtBelow(): number {
    return this.hasDoubts.get() ? (readingSettings.get().doubtBelow ?? this.usualDoubt.get()) : 0
  }

  get #underlinedBelow(): number | null {
    return this.hasDoubts.get() && readingSettings.get().underlineDoubtful ? this.doubtBelow : null
  }

  #onTextChange(): void {
    const { table, phase, estimated, names, sameHead, sameTail } = this.text.state.get()
    if (phase === 'whole' && !estimated && !this.#isMeasured) {
      this.#isMeasured = true
      this.usualDoubt.set(worstTenth(table))
    }
    const only = this.only.get()
    if (only !== null && !table.speakers.subarray(0, table.count).includes(only)) this.only.set(null)
    const before = this.view?.shown
    this.view?.show(this.#shown(), sameHead, sameTail)
    if (before?.names !== names || before.doubtBelow !== this.#underlinedBelow) this.view?.restyle(this.#shown())
    this.#goToPendingPlace()
    this.find.refresh()
  }

  #onSettingsChange(): void {
    const { doubtBelow } = this.view?.shown ?? {}
    if (doubtBelow !== this.#underlinedBelow) this.view?.restyle(this.#shown())
    if (!readingSettings.get().follow) this.following.set(true)
  }

  /** Shows the text of a file in progress and highlights what was added since the last call. */
  showSoFar(table: WordTable, names: readonly string[]): void {
    const before = this.text.state.get()
    this.#fresh = null
    this.text.replace(table, names, true)
    const { blocks, sameHead, sameTail } = this.text.state.get()
    const grew = before.table.count > 0 && sameHead < blocks.count
    if (!grew || this.view === null) return
    this.#fresh = { from: blocks.first(sameHead), to: blocks.first(blocks.count - sameTail) }
    this.view.restyle(this.#shown())
  }

  /** Shows the finished transcript as it loads; the reading position stays at the same time of the recording. */
  openFinished(load: WordsLoad, shape: TextShape): void {
    const { table } = this.text.state.get()
    const top = this.view === null ? 0 : table.startOf(this.view.topWord())
    if (top > 0) this.#pendingPlace ??= { kind: 'time', seconds: top, silent: true }
    this.#fresh = null
    this.text.open(load, shape)
  }

  #onTime(seconds: number): void {
    const { table, estimated } = this.text.state.get()
    if (table.count === 0 || estimated) return
    const word = this.text.times.spokenAt(seconds)
    if (word === this.#spoken) return
    this.#spoken = word
    const follows = readingSettings.get().follow && this.following.get() && this.playback.state.get().playing
    this.view?.setSpoken(word, follows && word !== -1)
  }

  /** The word being spoken, -1 if none. */
  get spoken(): number {
    return this.#spoken
  }

  /** Called when the reader scrolls: stops following playback until `followAgain`. */
  stopFollowing(): void {
    if (this.playback.state.get().playing && readingSettings.get().follow) this.following.set(false)
  }

  /** Scrolls to the spoken word and resumes following playback. */
  followAgain(): void {
    this.following.set(true)
    const word = this.text.times.nearest(this.playback.seconds)
    if (word !== -1) this.view?.scrollToWord(word)
  }

  /** Plays from a word. */
  playWord(word: number): void {
    this.following.set(true)
    if (this.playback.state.get().status === 'none') return
    this.#startedByClick = this.playback.media.paused
    this.playback.playFrom(this.text.state.get().table.startOf(word))
    this.loop.set(null)
    this.view?.highlightSpan(null)
  }

  /** Moves the playback position to this word. */
  goToWord(word: number): void {
    if (this.playback.media.paused) this.playback.seek(this.text.state.get().table.startOf(word))
  }

  /** Undoes `playWord` if its click turns out to be the first of a double click. */
  undoClick(): void {
    if (this.#startedByClick) this.playback.media.pause()
    this.#startedByClick = false
  }

  /** Loops the selected words, else the current turn; or ends the loop. */
  toggleLoop(): void {
    const selected = this.view === null ? null : selectedWords(this.view.shown)
    const span = this.loop.get() === null ? (selected ?? this.#turnAtHand) : null
    this.#loopWords(span)
    this.view?.highlightSpan(span)
  }

  #loopWords(span: WordSpan | null): void {
    const { table } = this.text.state.get()
    this.loop.set(span)
    this.playback.setLoop(span === null ? null : { from: table.startOf(span.from), to: table.endOf(span.to - 1) })
  }

  /** The focused paragraph, else the one being spoken: a turn, or a part of a long one. */
  get #turnAtHand(): WordSpan | null {
    const { blocks } = this.text.state.get()
    const block =
      blockOfNode(document.activeElement)?.block ?? (this.#spoken === -1 ? null : blocks.blockOf(this.#spoken))
    return block === null ? null : { from: blocks.first(block), to: blocks.end(block) }
  }

  /** Loops the words being edited until other words or null are passed; null pauses playback. */
  loopTyped(words: WordSpan | null): void {
    if (words === this.#looped || this.playback.state.get().status !== 'ready') return
    this.#looped = words
    if (words === null) this.playback.media.pause()
    this.#loopWords(words)
  }

  /** Goes to a place, now or as soon as its words are loaded. */
  goTo(place: Place): void {
    this.#pendingPlace = place
    this.#goToPendingPlace()
  }

  #goToPendingPlace(): void {
    if (this.#pendingPlace === null || this.view === null) return
    const state = this.text.state.get()
    const words = wordsOfPlace(state, this.#pendingPlace, (seconds) => this.text.times.nearest(seconds))
    if (words === null) return
    const place = this.#pendingPlace
    this.#pendingPlace = null
    this.view.scrollToWord(words.from, place.silent === true ? 0.02 : 0.3)
    if (place.silent === true) return
    if (place.kind === 'time') this.playback.seek(place.seconds)
    else {
      this.view.highlightSpan(words)
      if (place.plays) this.playback.playWhenReady(state.table.startOf(words.from))
    }
  }
}

/** The words at a place, none if they were removed; null if they may not be loaded yet. */
function wordsOfPlace(state: TextState, place: Place, nearest: (seconds: number) => number): WordSpan | null {
  const { table, phase } = state
  if (table.count === 0) return null
  const isLoaded = place.kind === 'words' ? table.count >= place.to : table.startOf(table.count - 1) > place.seconds
  if (!isLoaded && phase === 'reading') return null
  if (place.kind === 'words') return findWords(table, place)
  const word = nearest(place.seconds)
  return { from: word, to: word + 1 }
}
