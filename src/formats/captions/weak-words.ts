/** English words that belong to what follows them: articles, prepositions, pronouns and conjunctions. */
const weak = new Set(
  `a an the
  about above across after against along among around as at before behind below beneath beside between beyond by despite
  down during except for from in inside into like near of off on onto out outside over past per since than through
  throughout till to toward towards under until unto up upon via with within without
  i you he she it we they me him her us them my your his its our their this that these those who whom whose which what
  and but or nor so yet because although though if unless whereas while when where whether that`.split(/\s+/),
)

/** Whether a caption or a line should rather not end with this word. Punctuation behind it makes it an end. */
export function isWeakEnd(text: string): boolean {
  return weak.has(text.toLowerCase())
}
