import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'

const groups: { title: string; keys: [keys: string[], what: string][] }[] = [
  {
    title: 'Everywhere',
    keys: [
      [['Ctrl', 'K'], 'Commands: go to a file, switch environment, theme, sign out'],
      [['?'], 'This list'],
      [['Esc'], 'Close what is open'],
    ],
  },
  {
    title: 'Files',
    keys: [
      [['/'], 'Search'],
      [['↑', '↓'], 'Move through the rows; Home and End, Page Up and Page Down'],
      [['Enter'], 'Open the transcript'],
      [['Space'], 'Select; with Shift everything in between'],
      [['Ctrl', 'A'], 'Select all that is shown'],
      [['Del'], 'Delete what is selected'],
    ],
  },
  {
    title: 'Transcript',
    keys: [
      [['/'], 'Find in the transcript'],
      [['Space'], 'Play or pause; J and L go back and forward, [ and ] change the speed'],
      [['↑', '↓'], 'Move through the paragraphs; with Ctrl through the turns'],
      [['Shift', 'Enter'], 'Play from the paragraph'],
      [['Enter'], 'Correct the paragraph; then Tab goes on, F6 goes to what else can be done'],
      [['Ctrl', 'Enter'], 'While correcting: a new turn begins here'],
      [['N'], 'Next doubtful word; with Shift the one before'],
      [['Ctrl', 'Z'], 'Undo; with Shift redo'],
    ],
  },
]

/** The keyboard shortcuts of the app. */
export function KeysHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts" width="md">
      {groups.map(({ title, keys }) => (
        <section key={title} className="grid gap-1.5">
          <h3 className="text-sm font-semibold text-ink-2">{title}</h3>
          <dl className="grid gap-1.5">
            {keys.map(([combination, what]) => (
              <div key={what} className="grid grid-cols-[7rem_1fr] items-center gap-4">
                <dt className="flex gap-1">
                  {combination.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </dt>
                <dd className="text-ink-2">{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
