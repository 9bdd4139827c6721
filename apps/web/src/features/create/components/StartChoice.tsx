import type { Home } from '@postil/contract/home.ts'
import { useEffect, useRef } from 'react'
import { useUser } from '#features/auth/public.ts'
import { Examples } from '#features/examples/public.ts'
import { HubStart } from '#features/hub/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { PythonCode } from '#lib/PythonCode.tsx'
import { Button } from '#ui/controls/Button.tsx'
import { PlusIcon } from '#ui/marks/icons.tsx'
import type { TemplateName } from '../templates/template-names.ts'
import type { Upload } from '../use-upload.ts'
import styles from './StartChoice.module.css'
import { FilePicker } from './source/FilePicker.tsx'
import { Templates } from './Templates.tsx'

type Props = {
  readonly home: Home
  readonly upload: Upload
  /** How the user has chosen to create the dataset. The control for this choice gets the focus. */
  readonly from: 'file' | 'hub' | 'scratch' | undefined
  readonly onStartEmpty: () => void
  readonly onTemplate: (name: TemplateName, withSample: boolean) => Promise<void>
}

const firstControl = 'button, input:not([type="file"])'

export const StartChoice = ({ home, upload, from, onStartEmpty, onTemplate }: Props) => {
  const { t } = useTranslation('features/create')
  const user = useUser()
  const choices = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (from) choices.current?.querySelector<HTMLElement>(`[aria-labelledby="start-${from}"] :is(${firstControl})`)?.focus()
  }, [from])
  return (
    <div ref={choices} className={styles['choices']}>
      <section aria-labelledby="start-file">
        <h2 id="start-file" className={styles['title']}>
          {t('start.file')}
        </h2>
        <p className={styles['hint']}>{t('start.fileHint')}</p>
        <FilePicker upload={upload} label={t('file.choose')} />
      </section>
      <section aria-labelledby="start-hub" className={styles['next']}>
        <h2 id="start-hub" className={styles['title']}>
          {t('start.hub')}
        </h2>
        <HubStart />
      </section>
      <section aria-labelledby="start-template" className={styles['template']}>
        <h2 id="start-template" className={styles['title']}>
          {t('template.title')}
        </h2>
        <p className={styles['hint']}>{t('template.hint')}</p>
        <Templates onUse={onTemplate} />
      </section>
      <section aria-labelledby="start-nothing" className={styles['other']}>
        <div>
          <h2 id="start-nothing" className={styles['title']}>
            {t('start.nothing')}
          </h2>
          <p className={styles['hint']}>{t('start.nothingHint')}</p>
        </div>
        <Button icon={PlusIcon} onClick={onStartEmpty}>
          {t('start.nothingAction')}
        </Button>
      </section>
      <div className={styles['last']}>
        <section aria-labelledby="start-example">
          <h2 id="start-example" className={styles['title']}>
            {t('start.example')}
          </h2>
          <Examples home={home} />
        </section>
        <section aria-labelledby="start-python" className={styles['program']}>
          <h2 id="start-python" className={styles['title']}>
            {t('start.python')}
          </h2>
          <p className={styles['hint']}>{t('start.pythonHint')}</p>
          <PythonCode label={t('start.pythonCode')} user={user} workspaces={home.workspaces} />
        </section>
      </div>
    </div>
  )
}
