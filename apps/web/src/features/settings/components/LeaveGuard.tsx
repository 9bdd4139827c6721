import { useTranslation } from '#i18n/use-translation.ts'
import { useLeaveQuestion } from '#lib/use-leave-question.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Dialog, doesLeast } from '#ui/overlays/Dialog.tsx'
import { useChangedSections } from '../edits.ts'
import type { Section } from '../sections.ts'
import { sections } from '../sections.ts'

/** Leaving the page with changes that are not saved asks first; staying leads to the first of them. */
export const LeaveGuard = ({ onShow }: { readonly onShow: (section: Section) => void }) => {
  const { t } = useTranslation('features/settings')
  const changed = useChangedSections()
  const hasChanges = changed.size > 0
  const question = useLeaveQuestion({ isAsked: (from, to) => hasChanges && from !== to, beforeUnload: hasChanges })
  if (question === null) return null
  const names = sections.filter((section) => changed.has(section))
  const stay = (): void => {
    question.stay()
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
          <Button onClick={question.leave}>{t('leave.leave')}</Button>
          <Button look="primary" onClick={stay} {...doesLeast}>
            {t('leave.stay')}
          </Button>
        </>
      }
    >
      <p>{t('leave.explain', { sections: names.map((section) => t(`section.${section}`)).join(', ') })}</p>
    </Dialog>
  )
}
