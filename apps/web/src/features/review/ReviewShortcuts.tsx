import { useTranslation } from '#i18n/use-translation.ts'
import type { Bindings } from '#lib/keys/bindings.ts'
import { capsOf } from '#lib/keys/caps.ts'
import { useBindings } from '#lib/keys/use-bindings.ts'
import type { Shortcut } from '#question-types/define.ts'
import { reasonKeys, reasons } from './keys.ts'
import { ShortcutDialog, ShortcutSection } from './parts.ts'

const decisionShortcuts: readonly Shortcut[] = [
  { keys: ['1', '…', '9'], message: 'choose' },
  { keys: ['0'], message: 'none' },
  { keys: ['M'], message: 'majority' },
  { keys: ['E'], message: 'edit' },
  { keys: ['N'], message: 'note' },
  { keys: ['R'], message: 'return' },
]
const reasonShortcuts = reasons.map((reason): Shortcut => ({ keys: [reasonKeys[reason].toUpperCase()], message: reason }))
const moveShortcuts = (keys: Bindings): readonly Shortcut[] => [
  { keys: ['J', ...capsOf(keys.nextQuestion)], message: 'nextQuestion' },
  { keys: ['K', ...capsOf(keys.previousQuestion)], message: 'previousQuestion' },
  { keys: capsOf(keys.submit), message: 'finish' },
  { keys: capsOf(keys.next), message: 'skip' },
  { keys: capsOf(keys.discard), message: 'back' },
  { keys: capsOf(keys.help), message: 'help' },
]

/** Lists the shortcuts of the review screen. */
export const ReviewShortcuts = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('features/review')
  const keys = useBindings()
  return (
    <ShortcutDialog onClose={onClose}>
      <ShortcutSection
        title={t('shortcuts.decide')}
        shortcuts={decisionShortcuts}
        describe={(message) => t(`shortcuts.${message}`)}
      />
      <ShortcutSection title={t('reason.title')} shortcuts={reasonShortcuts} describe={(message) => t(`reason.${message}`)} />
      <ShortcutSection
        title={t('shortcuts.move')}
        shortcuts={moveShortcuts(keys)}
        describe={(message) => t(`shortcuts.${message}`)}
      />
    </ShortcutDialog>
  )
}
