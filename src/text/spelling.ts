import type { OrderOptions } from '../contract/interface/option-values.ts'

export type SpellingStyle = OrderOptions['spelling_style']
type Style = Exclude<SpellingStyle, 'american'>
const everywhere: readonly Style[] = ['british', 'canadian', 'australian']
const notCanadian: readonly Style[] = ['british', 'australian']

/** American stems; with each of the endings, `from` becomes `to` in the styles. */
type Family = { styles: readonly Style[]; from: string; to: string; endings: string; stems: string }

/*
 * Only words whose spelling depends on the style alone: `meter`, `license`, `practice`, `program`, `check`, `tire`,
 * `draft`, `story` and `curb` depend on their meaning and stay. Canada keeps -ize and the American medical e. `_` is
 * the empty ending.
 */
const families: readonly Family[] = [
  {
    styles: everywhere,
    from: 'or',
    to: 'our',
    endings: '_ s ed ing er ers ful fully less able ably ite ites hood hoods ly al ally y ies',
    stems:
      'arm behavi cand clam col demean endeav enam fav ferv flav harb hon hum lab misbehavi neighb od parl ranc rum sav savi splend tum val vap vig disfav dishon discol',
  },
  {
    styles: everywhere,
    from: 'er',
    to: 're',
    endings: '_ s d',
    stems: 'cent theat fib lit calib lust meag somb spect sab sepulch',
  },
  { styles: everywhere, from: 'er', to: 're', endings: '_ s', stems: 'kilomet centimet millimet amphitheat millilit' },
  { styles: everywhere, from: 'ense', to: 'ence', endings: '_ s', stems: 'def off pret' },
  {
    styles: everywhere,
    from: 'l',
    to: 'll',
    endings: 'ed ing er ers',
    stems:
      'travel cancel label model fuel signal level counsel marvel quarrel total dial channel tunnel jewel shovel swivel unravel panel pencil rival initial duel gravel grovel cudgel snivel trowel libel revel funnel bevel barrel spiral',
  },
  {
    styles: notCanadian,
    from: 'iz',
    to: 'is',
    endings: 'e es ed ing er ers ation ations able',
    stems:
      'organ real recogn apolog author capital central character civil colon critic custom digit econom emphas equal familiar final formal general global harmon hospital ideal immun industrial initial institutional internal legal liberal local marginal material maxim memor minim mobil modern monopol national neutral normal optim penal personal polar popular prior privat public radical random rational reorgan sensit social special stabil standard steril subsid summar symbol sympath synchron terror urban util victim visual vocal disorgan fertil energ formul hypothes item jeopard monet patron scrutin stigmat theor tranquill traumat vandal western',
  },
  { styles: notCanadian, from: 'yz', to: 'ys', endings: 'e ed er ers es ing', stems: 'anal paral catal' },
]

/** Individual words: American, then the other styles' spelling. */
const everywherePairs =
  'gray grey, grays greys, grayer greyer, graying greying, catalog catalogue, catalogs catalogues, dialog dialogue, dialogs dialogues, jewelry jewellery, pajamas pyjamas, plow plough, plows ploughs, plowed ploughed, plowing ploughing, mustache moustache, mustaches moustaches, maneuver manoeuvre, maneuvers manoeuvres, maneuvered manoeuvred, maneuvering manoeuvring, marvelous marvellous, marvelously marvellously, woolen woollen, skillful skilful, skillfully skilfully, willful wilful, willfully wilfully, fulfill fulfil, fulfills fulfils, fulfillment fulfilment, enroll enrol, enrolls enrols, enrollment enrolment, enrollments enrolments, installment instalment, installments instalments, worshiped worshipped, worshiping worshipping, worshiper worshipper, mold mould, molds moulds, moldy mouldy, smolder smoulder, smoldering smouldering, centered centred, centering centring, theatergoer theatregoer, sulfur sulphur, omelet omelette, omelets omelettes, defenseless defenceless, councilor councillor, councilors councillors, counselor counsellor, counselors counsellors, cozy cosy, cozier cosier'
const notCanadianPairs =
  'aluminum aluminium, mom mum, moms mums, mommy mummy, skeptic sceptic, skeptics sceptics, skeptical sceptical, skepticism scepticism, aging ageing, artifact artefact, artifacts artefacts, anesthesia anaesthesia, anesthetic anaesthetic, anesthetics anaesthetics, anesthetist anaesthetist, pediatric paediatric, pediatrics paediatrics, pediatrician paediatrician, pediatricians paediatricians, orthopedic orthopaedic, leukemia leukaemia, anemia anaemia, anemic anaemic, hemoglobin haemoglobin, hemorrhage haemorrhage, hemorrhages haemorrhages, gynecology gynaecology, gynecologist gynaecologist, estrogen oestrogen, diarrhea diarrhoea, esophagus oesophagus, archeology archaeology, encyclopedia encyclopaedia, donut doughnut, donuts doughnuts, analog analogue'

function addFamily(list: Map<string, string>, { from, to, endings, stems }: Family): void {
  for (const stem of stems.split(' ')) {
    for (const ending of endings.split(' ')) {
      const end = ending === '_' ? '' : ending
      // The l of the doubling family belongs to the stem.
      if (from === 'l') list.set(stem + end, stem + from + end)
      else list.set(stem + from + end, stem + to + end)
    }
  }
}

function addPairs(list: Map<string, string>, pairs: string): void {
  for (const pair of pairs.split(', ')) {
    const [american, other] = pair.split(' ')
    if (american !== undefined && other !== undefined) list.set(american, other)
  }
}

function makeList(style: Style): ReadonlyMap<string, string> {
  const list = new Map<string, string>()
  for (const family of families) if (family.styles.includes(style)) addFamily(list, family)
  addPairs(list, everywherePairs)
  if (notCanadian.includes(style)) addPairs(list, notCanadianPairs)
  return list
}

const lists = new Map<Style, ReadonlyMap<string, string>>()

/** The word list of a style: American spelling in lower case to the style's. Built lazily. */
function spellingList(style: Style): ReadonlyMap<string, string> {
  const list = lists.get(style) ?? makeList(style)
  lists.set(style, list)
  return list
}

/** Applies `like`'s case to `word`: all capitals, an initial capital, or none. */
function copyCase(like: string, word: string): string {
  if (like.length > 1 && like === like.toUpperCase()) return word.toUpperCase()
  const first = like[0] ?? ''
  return first === first.toUpperCase() ? word[0]?.toUpperCase() + word.slice(1) : word
}

/**
 * A recognized word (American) in the ordered spelling; case and punctuation stay. Names are not detected: `Lincoln
 * Center` becomes `Lincoln Centre` in British spelling.
 */
export function respelled(word: string, style: OrderOptions['spelling_style']): string {
  if (style === 'american') return word
  const list = spellingList(style)
  return word.replaceAll(/\p{L}+/gu, (letters) => {
    const other = list.get(letters.toLowerCase())
    return other === undefined ? letters : copyCase(letters, other)
  })
}

/*
 * Other styles' spellings that are also valid in American English, or mean something else there: the plural of
 * `analysis` is not a form of `analyze`.
 */
const alsoAmerican = new Set(
  'analyses paralyses catalyses dialogue dialogues catalogue catalogues doughnut doughnuts omelette omelettes archaeology theatre theatres worshipped worshipping worshipper analogue moustache moustaches ageing'.split(
    ' ',
  ),
)

const wrongLists = new Map<SpellingStyle, ReadonlyMap<string, string>>()

/** Maps every spelling of another style, in lower case, to this style's. Built lazily. */
function makeWrongList(style: SpellingStyle): ReadonlyMap<string, string> {
  const own = style === 'american' ? new Map<string, string>() : spellingList(style)
  const wrong = new Map<string, string>()
  // British covers every pair: words that this style's list lacks keep the American spelling.
  for (const [american, other] of spellingList('british')) {
    if (!own.has(american) && !alsoAmerican.has(other)) wrong.set(other, american)
  }
  for (const [american, other] of own) wrong.set(american, other)
  return wrong
}

/**
 * The spelling of a typed word in a style, by the same lists as for recognized words; null if it is correct or unknown.
 * Case stays. @param word without punctuation
 */
export function otherSpelling(word: string, style: SpellingStyle): string | null {
  const list = wrongLists.get(style) ?? makeWrongList(style)
  wrongLists.set(style, list)
  const right = list.get(word.toLowerCase())
  return right === undefined ? null : copyCase(word, right)
}
