import { useTranslation } from '#i18n/use-translation.ts'
import { useLeaveConfirmation } from '#lib/use-leave-confirmation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Dialog, leastDestructive } from '#ui/overlays/Dialog.tsx'
import { useChangedSections } from '../edits.ts'
import type { Section } from '../sections.ts'
import { sections } from '../sections.ts'

/**
 * Asks for confirmation before the user leaves the page with unsaved changes. If the user stays, shows the first section that has
 * such changes.
 */
export const LeaveGuard = ({ onShow }: { readonly onShow: (section: Section) => void }) => {
  const { t } = useTranslation('features/settings')
  const changed = useChangedSections()
  const hasChanges = changed.size > 0
  const confirmation = useLeaveConfirmation({
    needsConfirmation: (from, to) => hasChanges && from !== to,
    beforeUnload: hasChanges,
  })
  if (confirmation === null) return null
  const names = sections.filter((section) => changed.has(section))
  const stay = (): void => {
    confirmation.stay()
    const [first] = names
    if (first) onShow(first)
  }
  return (
    <Dialog
      open
      onOpenChange={stay}
      title={t('leave.title')}
      actions={
        <>
          <Button onClick={confirmation.leave}>{t('leave.leave')}</Button>
          <Button look="primary" onClick={stay} {...leastDestructive}>
            {t('leave.stay')}
          </Button>
        </>
      }
    >
      <p>{t('leave.explain', { sections: names.map((section) => t(`section.${section}`)).join(', ') })}</p>
    </Dialog>
  )
}
