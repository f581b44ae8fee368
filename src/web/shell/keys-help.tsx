import { Dialog } from '../base/ui/dialog.tsx'
import { Kbd } from '../base/ui/kbd.tsx'

const groups: { title: string; keys: [keys: string[], what: string][] }[] = [
  {
    title: 'Everywhere',
    keys: [
      [['Ctrl', 'K'], 'Commands: go to a file, switch environment, theme, sign out'],
      [['?'], 'Show keyboard shortcuts'],
      [['Esc'], 'Close the dialog, menu or panel'],
    ],
  },
  {
    title: 'Files',
    keys: [
      [['/'], 'Search'],
      [['↑', '↓'], 'Previous or next row; also Home, End, Page Up, Page Down'],
      [['Enter'], 'Open the transcript'],
      [['Space'], 'Select; with Shift, the range'],
      [['Ctrl', 'A'], 'Select all files shown'],
      [['Del'], 'Delete selected files'],
      [['Shift', 'F10'], 'Menu of the file, as by a right click'],
    ],
  },
  {
    title: 'Transcript',
    keys: [
      [['/'], 'Find in the transcript'],
      [['Space'], 'Play or pause; J and L skip back and forward, [ and ] change the speed'],
      [['↑', '↓'], 'Move up or down; with Ctrl, by turn'],
      [['Shift', 'Enter'], 'Play from here'],
      [['Enter'], 'Correct the text; Tab goes to the next turn, F6 to the toolbar'],
      [['Ctrl', 'Enter'], 'While correcting: split the turn here'],
      [['N'], 'Next doubtful place; with Shift, the previous one; with Alt, to type there'],
      [['Y'], 'The doubtful place looks right, go to the next one'],
      [['Enter'], 'Correct the doubtful place; Enter again goes to the next one'],
      [['Esc'], 'Close the doubtful places'],
      [['Shift', 'F10'], 'Menu of the speaker of this turn; Tab leads to the name'],
      [['Alt', '1'], 'First speaker for this turn, and so on to 9; 0 is a new one'],
      [['Del'], 'Delete the selected or spoken word; while correcting, Alt and Del the word at the caret'],
      [['C'], 'Turn checked, go to the next unchecked one, at last to Approve; with Shift, not checked'],
      [['M'], 'While marking places for a re-review: mark the selected words or the turn, or no longer'],
      [['1'], 'Panel: Read; 2 Edit, 3 Captions, 4 File. Off while captions cover the text'],
      [['Ctrl', 'Z'], 'Undo; with Shift, or Ctrl Y, redo'],
    ],
  },
  {
    title: 'Captions',
    keys: [
      [['↑', '↓'], 'Previous or next caption'],
      [['Enter'], 'Play this caption'],
      [['F2'], 'Edit it in place; Enter saves and goes to the next one'],
      [
        ['Ctrl', 'Enter'],
        'While editing: split it here; Shift and Enter break the line, Backspace at the start merges',
      ],
      [['N'], 'Next caption that breaks a rule; with Shift, the previous one'],
      [['S'], 'Split it at the spoken word, else in the middle'],
      [['M'], 'Merge it with the next one; with Shift, with the previous one'],
      [[',', '.'], 'Begin a frame earlier or later; with Shift, end'],
      [['T'], 'At the top of the picture, or below again'],
      [['A'], 'Automatic again'],
      [['Esc'], 'Back to the text'],
    ],
  },
  {
    title: 'Playing while typing, and foot pedals',
    keys: [
      [['F4', 'F9'], 'Play or pause'],
      [['F7', 'F8'], 'Back and forward 5 seconds; held down, they wind'],
      [['F2', 'F3'], 'Slower and faster'],
      [['F10'], 'Loop the turn, on or off'],
    ],
  },
]

/** Lists the app's keyboard shortcuts. */
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
