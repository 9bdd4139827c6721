import type { MouseEvent } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Switch } from '#ui/controls/Switch.tsx'

type Props = {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  /** Called after the user changes the switch with a pointer. Moves the focus back to the question, where shortcuts work. */
  readonly onPointerDone: () => void
}

/** If the switch is on and there is only one question, a key press that answers it also submits the answer. */
export const SubmitOnKeySwitch = ({ isOn, onChange, onPointerDone }: Props) => {
  const { t } = useTranslation('features/annotate')
  const afterClick = ({ detail }: MouseEvent): void => {
    // A click on the label focuses the switch only after this handler has run. The focus is therefore moved in the next frame.
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
