import type { MouseEvent } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Switch } from '#ui/controls/Switch.tsx'

type Props = {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  /** Called after the switch was changed with a pointer. Returns the focus to where shortcuts answer questions. */
  readonly onPointerDone: () => void
}

/** A switch that sets whether a key press that answers the only question also submits. */
export const SubmitOnKeySwitch = ({ isOn, onChange, onPointerDone }: Props) => {
  const { t } = useTranslation('features/annotate')
  const afterClick = ({ detail }: MouseEvent): void => {
    // A click on the label focuses the switch only after this event, so the focus moves in the next frame.
    if (detail > 0) requestAnimationFrame(onPointerDone)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only moves the focus after a click on the switch
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys leave the focus on the switch
    <div onClick={afterClick}>
      <Switch label={t('submitOnKey.label')} hint={t('submitOnKey.hint')} checked={isOn} onChange={onChange} />
    </div>
  )
}
