import type { Question } from '@postil/contract/questions.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Bindings } from '#lib/keys/bindings.ts'
import { boundActions } from '#lib/keys/bindings.ts'
import { capsOf } from '#lib/keys/caps.ts'
import { useBindings } from '#lib/keys/use-bindings.ts'
import type { Shortcut } from '#question-types/define.ts'
import { questionSlice } from '#question-types/registry.ts'
import { ShortcutDialog, ShortcutSection } from './ShortcutDialog.tsx'

const generalShortcuts = (keys: Bindings): readonly Shortcut[] => [
  ...boundActions.filter((action) => action !== 'help').map((action) => ({ keys: capsOf(keys[action]), message: action })),
  { keys: ['Tab'], message: 'into' },
  { keys: ['Esc'], message: 'out' },
  { keys: capsOf(keys.help), message: 'help' },
]

const bulkShortcuts = (keys: Bindings): readonly Shortcut[] => [
  { keys: ['Space'], message: 'select' },
  { keys: ['↑', '↓'], message: 'move' },
  { keys: ['Shift', '↑', '↓'], message: 'extend' },
  { keys: ['Ctrl', 'A'], message: 'selectPage' },
  { keys: capsOf(keys.next), message: 'nextPage' },
  { keys: capsOf(keys.previous), message: 'previousPage' },
  { keys: ['Esc'], message: 'between' },
]
/** Shortcuts that the bulk view replaces, because it moves by page instead of by record. */
const notInBulk: ReadonlySet<string> = new Set(['next', 'previous', 'out'])

const QuestionShortcuts = ({ kind, shortcuts }: { readonly kind: string; readonly shortcuts: readonly Shortcut[] }) => {
  const { t } = useTranslation(`question-types/${kind}`)
  return <ShortcutSection title={t('name')} shortcuts={shortcuts} describe={(message) => t(`keys.${message}`)} />
}

/** Lists only the shortcuts that work in this view. */
export const ShortcutSheet = ({
  questions,
  isBulk = false,
  onClose,
}: {
  /** Whether the bulk view is shown. */
  readonly isBulk?: boolean
  readonly questions: readonly Question[]
  readonly onClose: () => void
}) => {
  const { t } = useTranslation('features/annotate')
  const keys = useBindings()
  const general = generalShortcuts(keys)
  const slices = [...new Set(questions.map(({ settings }) => questionSlice(settings)))].filter(
    ({ shortcuts }) => shortcuts.length > 0,
  )
  return (
    <ShortcutDialog onClose={onClose}>
      <ShortcutSection
        title={t('shortcuts.everywhere')}
        shortcuts={isBulk ? general.filter(({ message }) => !notInBulk.has(message)) : general}
        describe={(message) => t(`shortcuts.${message}`)}
      />
      {isBulk && (
        <ShortcutSection
          title={t('bulk.records')}
          shortcuts={bulkShortcuts(keys)}
          describe={(message) => t(`shortcuts.bulk.${message}`)}
        />
      )}
      {slices.map(({ kind, shortcuts }) => (
        <QuestionShortcuts key={kind} kind={kind} shortcuts={shortcuts} />
      ))}
    </ShortcutDialog>
  )
}
