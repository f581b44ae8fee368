import type { Generated, Insertable, Selectable } from 'kysely'
import type { LogAction } from '../../../contract/account/audit-log.ts'
import type { BudgetPer, MoneyBook, MoneyCause, RefundsTo } from '../../../contract/account/balance.ts'
import type { RetentionScope } from '../../../contract/account/retention.ts'
import type { ReviewState } from '../../../contract/account/review.ts'
import type { ProgramText } from '../../../contract/account/settings.ts'
import type { RefundReason } from '../../../contract/account/usage.ts'
import type { Environment } from '../../../contract/interface/environment.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import type { OrderSound } from '../../../contract/interface/order-sound.ts'
import type { ClaimEnd, Verdict } from '../../../contract/work/managers.ts'
import type { StaffRole, WorkStep } from '../../../contract/work/staff.ts'

/*
 * Times are whole milliseconds since 1970 (UTC), money whole cents, flags 0 or 1, `…_json` columns JSON text. The
 * service mints all ids; no client input ever becomes part of a path.
 */

/** Work that one process does at a time (`leases.ts`). */
type LeaseColumns = {
  /** the holder */
  node: string
  /** by the database's time (`databaseNow`); 0: not held */
  leased_until: number
}

type GeneratedLease = { [column in keyof LeaseColumns]: Generated<LeaseColumns[column]> }

type AccountTable = {
  id: string
  environment: Environment
  name: string
  currency: string
  discount_percent: number
  custom_formatting_enabled: number
  /** `Partial<OrderOptions>`: the account's own defaults (spec 2.3, rule 2) */
  default_options_json: string
  /** appearance, notifications and presets of the dashboard */
  settings_json: string
  /** which text of a transcript the customer's API returns */
  program_text: Generated<ProgramText>
  /** what the captions of new files begin with; null: Parley's rules */
  caption_rules_json: Generated<string | null>
  created_at: number
  /** how many bytes of recordings it may store; null: any */
  byte_limit: Generated<number | null>
  /** since when it reads and changes nothing; null: it is open */
  closed_at: Generated<number | null>
  /** what its card pays in when the balance does not cover an order, as many times as it takes (decision 129) */
  top_up_cents: Generated<number>
  /** where refunds go: to the balance at once, or back to the card on the next business day */
  refunds_to: Generated<RefundsTo>
  /** the most that its orders may cost; null: any sum */
  budget_cents: Generated<number | null>
  budget_per: Generated<BudgetPer>
}

/** A closed account, and what was erased of it. Stays for its statement. */
type ClosingTable = {
  /** also the address of its statement */
  id: string
  account_id: string
  closed_at: number
  erase_at: number
  erased_at: number | null
  /** `ErasureReport`; null: not begun */
  report_json: string | null
}

/** A copy of a whole account for its owner: the blobs `export/…` under its id, for some days. */
type ExportTable = {
  id: string
  account_id: string
  with_recordings: number
  state: 'making' | 'made' | 'failed'
  files_done: Generated<number>
  files: Generated<number>
  /** of the archive */
  bytes: Generated<number>
  error: string | null
  created_at: number
  done_at: number | null
}

type ApiKeyTable = {
  id: string
  account_id: string
  name: string
  /** SHA-256 of the key, hex; the key itself is never stored (decision 14) */
  hash: string
  last_four: string
  created_at: number
  last_used_at: number | null
  expires_at: number | null
  revoked_at: number | null
  /** `KeyLimits`; null: it may do everything */
  limits_json: Generated<string | null>
}

type PaymentMethodTable = {
  account_id: string
  brand: string
  last_four: string
  exp_month: number
  exp_year: number
  /** the payment provider's token of the card; with the ledger provider, how the test card behaves */
  token: string
  created_at: number
  /** when the account was told that the card expires; null: not yet */
  expiry_told_at: Generated<number | null>
}

/** A top-up that the bank asks the cardholder about (`orders/money/waiting-top-ups.ts`). */
export type WaitingTopUp = {
  /** part of the address that the bank's page returns to */
  id: string
  account_id: string
  idempotency_key: string
  amount_cents: number
  currency: string
  card: string
  /** the bank's page */
  url: string
  /** 1: it is being voided, and never entered any more */
  is_void: number
  created_at: number
}

/** The customer that an account is at the payment provider, in its test and its live mode. */
type PaymentCustomerTable = { account_id: string; mode: 'test' | 'live'; customer: string }

type FileTable = {
  id: string
  account_id: string
  environment: Environment
  /** without extension; text, never a path (spec 2.2) */
  name: string
  media_extension: string
  media_kind: 'audio' | 'video'
  /** SHA-256 of the recording, hex */
  content_hash: string
  bytes: number
  duration_ms: number
  cost_cents: number
  discount_cents: number
  total_cents: number
  refund_cents: number
  currency: string
  transaction_id: string
  created_at: number
  delivery_at: number
  /** the delivery date before it was first postponed; null: never postponed */
  promised_at: number | null
  ready_at: number | null
  delay_reason: string | null
  /** JSON array of ids, or null (spec 2.2 `duplicates`) */
  duplicates_json: string | null
  /** `OrderOptions` as applied */
  options_json: string
  progress_percent: number
  /** incremented per account at each change of a file: the cursor of changed-since reads */
  version: number
  /** sandbox: when the file is removed with all its data (spec 8) */
  expires_at: number | null
  delete_when_ready: number
  /** its recording cannot be transcribed: it will never reach 100, and may be deleted at any progress */
  given_up: number
  /** how far a damaged recording was readable; null if completely, or if not known yet */
  readable_ms: number | null
  /** which of its sound the order asked for; null: nothing in particular */
  sound: OrderSound | null
  /** `FileEntry.heard`; null if all of its sound is heard, or if not known yet */
  heard_json: string | null
  /** number of corrected places in its transcript */
  corrections: Generated<number>
  /** of its current text */
  review: Generated<ReviewState>
  /** the last approved revision of its corrections, also while it is reopened; 0: the text without any */
  approved_revision: number | null
  /** `CaptionRules` of all its captions; null: Parley's */
  caption_rules_json: string | null
  /** the preset of the order page that it was ordered with, whose vocabulary also applies */
  preset: string | null
  /** `Labels`; null if it never had any */
  labels_json: string | null
  project_id: string | null
  /** the client's name for what it orders together (`Order-Batch`); null: ordered alone */
  batch: string | null
  /** start of its retention period; null: since it was ordered */
  keeping_since: number | null
  /** when a rule deleted its recording, and the rule as text */
  recording_deleted_at: number | null
  recording_deleted_by: string | null
  /**
   * The copy that players use instead of the recording: to be made in the pass that decodes it, made, or missing as the
   * disk was full. Null: the recording itself is played.
   */
  listening_copy: 'needed' | 'made' | 'no-room' | null
}

type ProjectTable = {
  id: string
  account_id: string
  name: string
  /** null: its orders have no limit */
  budget_cents: number | null
  budget_per: Generated<BudgetPer>
  /** `Partial<OrderOptions>` preselected for its orders; null: the account's */
  options_json: string | null
  /** the preset whose vocabulary applies to its orders */
  preset: string | null
  created_at: number
}

/** Projects that the account has deleted, for orders that still name them. */
type DeletedProjectTable = { id: string; account_id: string }

/** Automatic deletions for files of an account, a project or a tag. Days after the transcript was ready. */
type RetentionRuleTable = {
  account_id: string
  scope: RetentionScope
  /** '' for the account; the id of a project; a tag in lower case */
  target: string
  /** the tag as entered; otherwise '' */
  tag: string
  recording_days: number | null
  all_days: number | null
}

/** The audit log of an account. Absent texts are empty: repetitions are found by equality. */
type AccountLogTable = {
  id: Generated<number>
  account_id: string
  action: LogAction
  detail: string
  file_id: string
  file_name: string
  key_id: string
  key_name: string
  address: string
  times: number
  created_at: number
  /** last occurrence */
  at: number
}

/** Tombstones of deleted files, for changed-since reads. */
type DeletedFileTable = { id: string; account_id: string; version: number; deleted_at: number }

type LedgerTable = {
  id: Generated<number>
  account_id: string
  kind: 'charge' | 'refund'
  transaction_id: string
  file_id: string
  file_name: string
  transcript_type: OrderOptions['transcript_type']
  duration_ms: number
  /** positive for charges, negative for refunds */
  amount_cents: number
  currency: string
  /** refunds: the progress when the file was deleted */
  progress_percent: number | null
  created_at: number
  /** refunds: when the money goes back, the next business day (spec 8); charges: created_at */
  due_at: number
  status: 'settled' | 'pending' | 'failed'
  /** refunds that the payment provider did not accept: time of the next retry */
  next_try_at: number | null
  /** the card charged or refunded, as on a receipt: `Visa 4242`; null if none or not recorded */
  card: Generated<string | null>
  /** the project whose budget it counts in: that of its file, even after that is deleted */
  project_id: Generated<string | null>
  /** charges: the key that ordered; null if not recorded */
  key_id: Generated<string | null>
  /** charges: how much of the recording was free, in milliseconds */
  free_ms: Generated<number>
  /** charges: list price less what was charged, of it for free minutes; null if not recorded */
  discount_cents: Generated<number | null>
  /** refunds: why; null if not recorded */
  reason: Generated<RefundReason | null>
  /** charges: the VAT in it, in hundredths of a percent; null: from before this was recorded */
  vat_basis_points: Generated<number | null>
  /** charges: 1: the customer accounts for the VAT; null: from before this was recorded */
  reverse_charge: Generated<0 | 1 | null>
  /** charges: `BillingDetails` of the moment; null: nobody had said them, or from before this was recorded */
  customer_json: Generated<string | null>
  /** charges: what the card paid into the balance when it was ordered; null: the card paid the order itself */
  top_up_cents: Generated<number | null>
  /**
   * charges: paid from the balance; refunds: where they go; `direct`: paid by the card and refunded to it, before there
   * was a balance (null only until a trigger has entered the movements of an older node's entry)
   */
  via: Generated<'balance' | 'card' | 'direct' | 'bank' | null>
}

/** Double entry: takes money out of one book of an account and puts it into another; never changed. */
type MovementTable = {
  id: Generated<number>
  account_id: string
  currency: string
  cause: MoneyCause
  /** a file's id, or the transaction or idempotency key of a top-up or a refund to a card; once per cause */
  reference: string
  source: MoneyBook
  target: MoneyBook
  amount_cents: number
  created_at: number
}

/** Sums of the movements; written by triggers, never directly. */
type BookTable = { account_id: string; currency: string; book: MoneyBook; amount_cents: number }

/** What a card paid into the balance. */
type TopUpTable = {
  id: Generated<number>
  account_id: string
  /** the payment provider's */
  transaction_id: string
  idempotency_key: string
  amount_cents: number
  currency: string
  /** as on a receipt: `Visa 4242` */
  card: string | null
  created_at: number
  /** what the bank took back later */
  reversed_cents: Generated<number>
}

/** What goes back to a card, out of one top-up: a refund, a part of one, or of the balance that is paid out. */
type CardRefundTable = {
  idempotency_key: string
  account_id: string
  /** `transaction_id` of the top-up */
  top_up: string
  /** `transaction_id` of the refund in the ledger; null: the balance is paid out */
  refund: string | null
  amount_cents: number
  currency: string
  created_at: number
  due_at: number
  status: LedgerTable['status']
  /** if the payment provider did not accept it: time of the next retry */
  next_try_at: number | null
}

/** Prices that were told for a while, for recordings of these lengths (decision 143). */
type QuoteTable = {
  id: string
  account_id: string
  currency: string
  /** `OrderOptions` as resolved */
  options_json: string
  /** `Rates` at the time */
  rates_json: string
  discount_percent: number
  created_at: number
  expires_at: number
}

/** Free minutes that orders use; not settled: reserved for one that is being placed. */
type FreeMinutesTable = { file_id: string; account_id: string; ms: number; is_settled: number; created_at: number }

type QuoteLineTable = {
  quote_id: string
  position: number
  duration_ms: number
  total_cents: number
  /** the order that used it; null: none yet */
  file_id: string | null
}

/** Ledger sums by day (UTC, days since 1970) without failed entries; written by triggers, never directly. */
type LedgerDayTable = {
  account_id: string
  day: number
  kind: LedgerTable['kind']
  transcript_type: LedgerTable['transcript_type']
  entries: number
  amount_cents: number
  duration_ms: number
}

/**
 * An order that is being paid and not yet written: what it reserves of the balance, and the top-up that was requested of
 * the payment provider for it. One left by a crash is given up, and its top-up voided.
 */
type ChargeIntentTable = {
  idempotency_key: string
  account_id: string
  /** the price of the order */
  amount_cents: number
  /** what the card is asked for; 0: the balance pays; null: the price (by a node of an older version) */
  top_up_cents: Generated<number | null>
  currency: string
  /** 1 if it was given up: its order can no longer be written */
  is_void: Generated<number>
  created_at: number
} & LeaseColumns

type IdempotencyTable = {
  account_id: string
  key: string
  /** hash of the whole request; another request with the same key is refused (decision 7) */
  fingerprint: string
  /** null while the first request is in progress */
  body: string | null
  created_at: number
  fence: number
} & LeaseColumns

type JobTable = {
  id: string
  kind: string
  file_id: string | null
  account_id: string
  state: 'waiting' | 'running' | 'done' | 'failed'
  run_after: number
  attempts: number
  payload_json: string
  /** also its position in its account's queue */
  created_at: number
  /** the current step of work that has several; null: the first */
  step: Generated<string | null>
  /** incremented with each claim */
  fence: Generated<number>
} & GeneratedLease

/** When an account last had a job of a kind claimed, by the database's time. */
type TurnTable = { kind: string; account_id: string; served_at: number }

/** Finished pieces of a recognition, so that a restart resumes after the last one. */
type PieceTable = {
  file_id: string
  position: number
  start_ms: number
  end_ms: number
  words_json: string
  /** where the search for the next piece begins; null if a piece was not cut from audio (samples) */
  resume_ms: number | null
  /** voice features, packed (`speakers/packed-voices.ts`) */
  voices: Uint8Array | null
}

/** The recognition of a recording, from its first decoded audio to its text. */
type RecognitionTable = {
  file_id: string
  account_id: string
  /** the engine that recognizes it, with its model; null: none has begun */
  engine: string | null
  /** how many are decoded */
  sections: Generated<number>
  /** the sum over its pieces */
  heard_ms: Generated<number>
  /** voices by channel (`speakers/channel-voices.ts`), once decoded; null: they are distinguished by sound */
  voices_json: string | null
}

type WebhookTable = {
  account_id: string
  url: string
  secret: string
  /** also signs until `previous_secret_until` */
  previous_secret: string | null
  previous_secret_until: number | null
  paused_at: number | null
  pause_reason: string | null
  /** sandbox tools: nothing is sent and each attempt fails */
  simulate_failure: number
  created_at: number
  /** since when every attempt has failed; null while the receiver works */
  failing_since: number | null
}

type DeliveryTable = {
  id: string
  account_id: string
  /** null for a test event */
  file_id: string | null
  file_name: string
  progress_percent: number
  state: 'waiting' | 'sending' | 'delivered' | 'failed'
  /** attempts so far, including those before "send again" */
  attempts: number
  /** step of the retry schedule; "send again" starts over */
  retry_step: number
  next_attempt_at: number | null
  response_status: number | null
  response_ms: number | null
  error: string | null
  created_at: number
  updated_at: number
} & GeneratedLease

/** One attempt of a delivery, with request and response up to a limit. Deleted with its delivery. */
type DeliveryTryTable = {
  delivery_id: string
  /** 1 for the first */
  number: number
  tried_at: number
  status: number | null
  took_ms: number
  error: string | null
  request_json: string
  response_json: string | null
}

/** Events for signed-in dashboards, kept for a while so that a stream can resume. `seq` is per account. */
type EventTable = { account_id: string; seq: number; kind: string; data_json: string; created_at: number }

/** An account's latest cursors, and up to which ones their rows have been purged. */
type AccountCursorTable = {
  account_id: string
  /** of the newest file change */
  file_version: Generated<number>
  /** of the newest event */
  event_seq: Generated<number>
  tombstones_purged: Generated<number>
  events_purged: Generated<number>
}

/** A resumable upload (tus). Its bytes are in a file until it becomes an order, or in a bucket: see `object_id`. */
type UploadTable = {
  id: string
  account_id: string
  /** declared length */
  bytes: number
  /** `UploadRequest`: name, type, options and idempotency key */
  request_json: string
  /** the file that it became */
  file_id: string | null
  created_at: number
  /** when the last byte arrived, to the minute */
  touched_at: number
  /** incremented with each request that holds it, if nodes share the database */
  fence: Generated<number>
  /** in a bucket: the id of its future file, under which its bytes are stored; null: they are in a file */
  object_id: string | null
  /** of the multipart upload in the bucket; null before its first byte */
  multipart_id: string | null
  /** in a bucket: bytes stored, in parts and tail */
  received: Generated<number>
  /** names the blob `tail/<n>` of the bytes after the last part; null: there are none */
  tail: number | null
} & GeneratedLease

/** Uploaded parts in the bucket. */
type UploadPartTable = { upload_id: string; number: number; bytes: number; etag: string }

/** Processes that share the database, with their last heartbeat, by the database's time. */
type NodeTable = {
  id: string
  seen_at: number
  /** the engine and model that it recognizes recordings with; null: none at present */
  hears: Generated<string | null>
  /** seconds of audio recognized per second; null: not measured yet */
  pace: Generated<number | null>
  /** how it recognizes speech (`Recognition`); null: not reported yet */
  recognition_json: Generated<string | null>
}

/** Periodic work that one node does for all. Its lease ends when it is next due. */
type ChoreTable = { name: string } & LeaseColumns

/** Demo accounts opened per address and hour (since 1970). */
type DemoCountTable = { hour: number; address: string; count: number }

/** The current corrections of a file; `correction_patches` has their places. */
type CorrectionTable = {
  file_id: string
  account_id: string
  /** of the newest of `correction_changes` */
  revision: number
  fingerprint: string
  base_names_json: string
  names_json: string
}

type CorrectionPatchTable = {
  file_id: string
  from_word: number
  to_word: number
  patch_json: string
  /** if it replaces a few words: both sides in compared form (`findReplacement`) */
  heard: string | null
  written: string | null
}

/** Changes of a file's corrections, from which its versions are rebuilt. Those between versions are joined. */
type CorrectionChangeTable = {
  file_id: string
  revision: number
  /** name of the key that sent it */
  key_name: string
  key_id: string
  label: string
  /** number of corrections after it */
  corrections: number
  /** `CorrectionChange` */
  change_json: string
  /** name given to the resulting state */
  name: string | null
  created_at: number
}

/** Which words of a file have been checked. `revision` also counts its steps. */
type ReviewTable = {
  file_id: string
  account_id: string
  revision: number
  /** of the text whose words are counted */
  fingerprint: string
  /** `WordRange[]` */
  checked_json: string
}

/** Every change of a file's review state. Never altered. */
type ReviewStepTable = {
  file_id: string
  revision: number
  fingerprint: string
  state: ReviewState
  key_id: string
  key_name: string
  /** approved: the revision of the corrections */
  corrections: number | null
  created_at: number
}

/** The service's text that corrections apply to: its fingerprint and number of words, for one `ready_at`. */
type TextTable = { file_id: string; ready_at: number; fingerprint: string; words: number }

/**
 * What a job makes of a video: a copy with captions or a small picture, whose bytes are the blob `video/<id>`, for a day;
 * or its shots, which become the part `shots`.
 */
type CaptionedVideoTable = {
  id: string
  file_id: string
  account_id: string
  kind: 'soft' | 'burnt' | 'picture' | 'shots'
  /** the text and the rules that its captions are of; '' without captions */
  variant: string
  rules_json: string
  state: 'making' | 'made' | 'failed'
  percent: Generated<number>
  bytes: Generated<number>
  /** why it failed, as it is answered */
  error_status: number | null
  error: string | null
  created_at: number
  done_at: number | null
}

/** Words of an account in their correct spelling. */
type VocabularyTable = {
  id: string
  account_id: string
  /** '' for all orders */
  preset: string
  written: string
  heard_json: string
  key_name: string
  created_at: number
}

/** A place in a transcript that the vocabulary corrected. */
type VocabularyPlaceTable = {
  file_id: string
  account_id: string
  from_word: number
  to_word: number
  /** the entry */
  written: string
  /** the replacement text, with its punctuation */
  text: string
  /** corrected otherwise since */
  is_undone: Generated<number>
}

/** Replacements not to be proposed again. */
type DismissedProposalTable = { account_id: string; heard: string; written: string }

/** The operator's typists, reviewers and checkers (decision 105). */
type StaffTable = {
  id: string
  name: string
  role: StaffRole
  /** as of API keys */
  hash: string
  last_four: string
  created_at: number
  revoked_at: number | null
}

/** A part of a manual order, or, at position 0, the check of the whole. `work_texts` has its words. */
type WorkPartTable = {
  id: string
  file_id: string
  account_id: string
  position: number
  start_ms: number
  end_ms: number
  /** the next step; null: none */
  step: WorkStep | null
  /** how many steps were ever completed: determines progress, even during rework */
  reached: Generated<number>
  /** since when its step has been available */
  waiting_since: number
  /** its holder, and until when; 0: nobody */
  staff_id: string | null
  held_until: Generated<number>
  claimed_at: Generated<number>
  /** incremented with each claim: every write checks it */
  claim: Generated<number>
  assigned_to: string | null
  /** 0 to 1, of the recognizer's words; null: it has none */
  mean_conf: number | null
  /** `ReworkReason[]` */
  rework_json: Generated<string>
  note: Generated<string>
  /** `ReworkPlace[]` */
  places_json: Generated<string>
  /** stretches played in this step, in seconds */
  heard_json: Generated<string>
  blanks: Generated<number>
}

/** The words of a part: as they were at first, and as edited. */
type WorkTextTable = {
  part_id: string
  /** `DeskWord[]` */
  words_json: string
  names_json: string
  fingerprint: string
  /** how many words it began with */
  words: number
  /** `CorrectionSet`; null: no changes yet */
  set_json: string | null
  revision: Generated<number>
  /** the set at the start of the step */
  step_set_json: string | null
  /** the set at the start of the step before: what that one changed is the difference */
  before_set_json: string | null
}

/** The books: every claim ever made. Stays when its file is deleted. */
type WorkClaimTable = {
  part_id: string
  claim: number
  file_id: string
  step: WorkStep
  staff_id: string
  sound_ms: number
  claimed_at: number
  ended_at: number | null
  ending: ClaimEnd | null
  /** why it was returned */
  reason: string | null
  /** number of saves */
  saves: Generated<number>
  words: number | null
  changed_words: number | null
  /** pay for a submitted step, at the rate of that time; null: no rate was set */
  pay_cents: number | null
  /** 0 to 1, of the sound; null: not submitted, or before this was recorded */
  heard_share: number | null
  /** left in the text */
  doubts: number | null
  blanks: number | null
  /** why that was enough, in their words */
  explanation: string | null
  /** `OddMark`s, separated by spaces */
  odd: Generated<string>
  /** a manager's, on an odd step; null: none is needed */
  verdict: Verdict | null
  decided_by: string | null
  decided_at: number | null
}

/** Who is invoiced, and up to when an account's entries were put on monthly invoices. */
type BillingTable = {
  account_id: string
  company: string
  address: string
  vat_number: string | null
  reverse_charge: number
  invoiced_until: number
}

/** The last number of a series; written by triggers, never directly. */
type InvoiceSeriesTable = { series: string; last: number }

/** An invoice or credit note; triggers keep it as it is, and its number the one after the last. */
type InvoiceTable = {
  row_id: Generated<number>
  /** series and number, as printed */
  id: string
  series: string
  number: number
  account_id: string
  kind: 'invoice' | 'credit-note'
  currency: string
  total_cents: number
  vat_cents: number
  /** hundredths of a percent */
  vat_basis_points: number
  reverse_charge: number
  is_test: number
  corrects: string | null
  seller: string
  /** `BillingDetails`; `{}` once it may be erased */
  customer_json: string
  from_at: number
  to_at: number
  created_at: number
}

/** A ledger entry on an invoice; `is_undone`: it was on one, and has failed since. Each is on one only. */
type InvoiceItemTable = {
  transaction_id: string
  is_undone: number
  invoice: string
  position: number
  file_id: string
  kind: LedgerTable['kind']
  transcript_type: LedgerTable['transcript_type']
  duration_ms: number
  amount_cents: number
  created_at: number
  /** as in the ledger */
  discount_cents: Generated<number | null>
  free_ms: Generated<number | null>
  due_at: Generated<number | null>
  /** refunds: what of it goes back to cards; null: from before lines had the name of their file and all of this */
  to_card_cents: Generated<number | null>
}

/** Random values that this service generated for itself, such as the key that signs playback URLs. */
type SecretTable = { name: string; value: string }

export type Database = {
  accounts: AccountTable
  closings: ClosingTable
  exports: ExportTable
  api_keys: ApiKeyTable
  payment_methods: PaymentMethodTable
  payment_customers: PaymentCustomerTable
  waiting_top_ups: WaitingTopUp
  files: FileTable
  deleted_files: DeletedFileTable
  deleted_projects: DeletedProjectTable
  ledger: LedgerTable
  ledger_days: LedgerDayTable
  movements: MovementTable
  books: BookTable
  top_ups: TopUpTable
  card_refunds: CardRefundTable
  charge_intents: ChargeIntentTable
  quotes: QuoteTable
  free_minutes: FreeMinutesTable
  quote_lines: QuoteLineTable
  billing: BillingTable
  invoice_series: InvoiceSeriesTable
  invoices: InvoiceTable
  invoice_items: InvoiceItemTable
  idempotency: IdempotencyTable
  jobs: JobTable
  turns: TurnTable
  pieces: PieceTable
  recognitions: RecognitionTable
  webhooks: WebhookTable
  deliveries: DeliveryTable
  delivery_tries: DeliveryTryTable
  events: EventTable
  uploads: UploadTable
  upload_parts: UploadPartTable
  nodes: NodeTable
  chores: ChoreTable
  demo_counts: DemoCountTable
  secrets: SecretTable
  account_cursors: AccountCursorTable
  corrections: CorrectionTable
  correction_patches: CorrectionPatchTable
  correction_changes: CorrectionChangeTable
  reviews: ReviewTable
  review_steps: ReviewStepTable
  texts: TextTable
  captioned_videos: CaptionedVideoTable
  vocabulary: VocabularyTable
  vocabulary_places: VocabularyPlaceTable
  dismissed_proposals: DismissedProposalTable
  account_log: AccountLogTable
  projects: ProjectTable
  keeping_rules: RetentionRuleTable
  staff: StaffTable
  work_parts: WorkPartTable
  work_texts: WorkTextTable
  work_claims: WorkClaimTable
}

export type Account = Selectable<AccountTable>
export type Closing = Selectable<ClosingTable>
export type AccountExport = Selectable<ExportTable>
export type ApiKey = Selectable<ApiKeyTable>
export type FileRow = Selectable<FileTable>
export type NewFileRow = Insertable<FileTable>
export type CaptionedVideo = Selectable<CaptionedVideoTable>
export type ProjectRow = Selectable<ProjectTable>
export type AccountLogRow = Selectable<AccountLogTable>
export type LedgerEntry = Selectable<LedgerTable>
export type TopUp = Selectable<TopUpTable>
export type InvoiceRow = Selectable<InvoiceTable>
export type InvoiceItemRow = Selectable<InvoiceItemTable>
export type CardRefund = Selectable<CardRefundTable>
export type QuoteRow = Selectable<QuoteTable>
export type Job = Selectable<JobTable>
export type Webhook = Selectable<WebhookTable>
export type Delivery = Selectable<DeliveryTable>
export type DeliveryTryRow = Selectable<DeliveryTryTable>
export type Staff = Selectable<StaffTable>
export type WorkPart = Selectable<WorkPartTable>
export type WorkClaim = Selectable<WorkClaimTable>
export type Upload = Selectable<UploadTable>
