import { useId, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { type TemplateName, templateNames } from '../templates/template-names.ts'
import styles from './Templates.module.css'

type Props = {
  /** Resolves when the template is in the form or its sample is being uploaded. */
  readonly onUse: (name: TemplateName, withSample: boolean) => Promise<void>
}

export const Templates = ({ onUse }: Props) => {
  const { t } = useTranslation('features/create')
  const id = useId()
  const [opening, setOpening] = useState<string | null>(null)
  const use = (name: TemplateName, withSample: boolean): void => {
    setOpening(`${name} ${withSample}`)
    void onUse(name, withSample).finally(() => setOpening(null))
  }
  const button = (name: TemplateName, withSample: boolean) => {
    const action = `${id}-${name}-${withSample}`
    return (
      <Button
        id={action}
        busy={opening === `${name} ${withSample}`}
        aria-labelledby={`${action} ${id}-${name}`}
        onClick={() => use(name, withSample)}
      >
        {withSample ? t('template.sample') : t('template.use')}
      </Button>
    )
  }
  return (
    <ul className={styles['list']}>
      {templateNames.map((name) => (
        <li key={name} className={styles['card']}>
          <h3 id={`${id}-${name}`} className={styles['title']}>
            {t(`template.${name}.title`)}
          </h3>
          <p className={styles['about']}>{t(`template.${name}.about`)}</p>
          <div className={styles['actions']}>
            {button(name, false)}
            {button(name, true)}
          </div>
        </li>
      ))}
    </ul>
  )
}
