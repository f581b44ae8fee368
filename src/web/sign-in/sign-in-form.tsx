import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Environment, environmentOfKey } from '../../contract/environment.ts'
import { openDemoAccount } from '../api/account.ts'
import { ApiError } from '../api/client.ts'
import { environmentName, offeredEnvironments, offersDemo } from '../session/offers.ts'
import { Button } from '../ui/button.tsx'
import { LabelledCheckbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { checkKey, keyProblem, type SignedIn } from './check-key.ts'

type Props = {
  environment: Environment
  /** called when a key is being checked: most are right, so that the page behind it may load meanwhile */
  onCheck: () => void
  onSignedIn: (signedIn: SignedIn, keep: boolean) => void
}

/** One field for the key. Its environment is recognised from its form where that says so. */
export function SignInForm({ environment: asked, onCheck, onSignedIn }: Props) {
  const [environment, setEnvironment] = useState(asked)
  const [key, setKey] = useState('')
  const [shown, setShown] = useState(false)
  const [keep, setKeep] = useState(false)
  const [missing, setMissing] = useState(false)
  const check = useMutation({
    mutationFn: checkKey,
    onMutate: onCheck,
    onSuccess: (signedIn) => onSignedIn(signedIn, keep),
  })
  const demo = useMutation({
    mutationFn: async () => checkKey({ environment: 'sandbox', key: (await openDemoAccount()).key }),
    onSuccess: (signedIn) => onSignedIn(signedIn, keep),
  })

  const offered = offeredEnvironments()
  const trimmed = key.trim()
  const error = missing ? 'Enter your API key.' : check.error && keyProblem(check.error, environment)

  function changeKey(next: string) {
    setKey(next)
    setMissing(false)
    check.reset()
    const recognised = environmentOfKey(next.trim())
    if (recognised && offered.includes(recognised)) setEnvironment(recognised)
  }

  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        setMissing(trimmed === '')
        if (trimmed !== '' && !check.isPending) check.mutate({ environment, key: trimmed })
      }}
    >
      <div className="grid gap-1.5">
        <h1 className="text-2xl font-semibold tracking-tight">Sign in with your API key</h1>
        <p className="text-ink-2">The key stays in this browser tab and is sent only to your transcription service.</p>
      </div>
      {offered.length > 1 && (
        <Segmented
          label="Environment"
          value={environment}
          options={offered.map((value) => ({ value, label: environmentName(value) }))}
          onChange={(next) => {
            setEnvironment(next)
            check.reset()
          }}
        />
      )}
      <Field
        label="API key"
        // Not a password field: browsers would offer to keep it.
        type="text"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        value={key}
        onChange={(event) => changeKey(event.target.value)}
        error={error}
        className={`h-[42px] font-mono text-sm ${shown ? '' : '[-webkit-text-security:disc]'}`}
        after={
          <button
            type="button"
            aria-pressed={shown}
            aria-label="Show API key"
            onClick={() => setShown(!shown)}
            className="h-8 rounded-md px-2.5 text-sm text-ink-3 hover:text-ink"
          >
            {shown ? 'Hide' : 'Show'}
          </button>
        }
      />
      <LabelledCheckbox
        label="Keep me signed in until this tab closes"
        checked={keep}
        onChange={(event) => setKeep(event.target.checked)}
      />
      <Button type="submit" variant="primary" size="lg" disabled={check.isPending}>
        {check.isPending ? 'Checking the key …' : 'Sign in'}
      </Button>
      <p className="text-sm text-ink-3">
        No key yet? Make one on your account’s settings page
        {offersDemo() && (
          <>
            , or{' '}
            <button
              type="button"
              disabled={demo.isPending}
              onClick={() => demo.mutate()}
              className="rounded-sm font-semibold text-accent underline-offset-2 hover:underline"
            >
              open a demo account in the sandbox
            </button>
          </>
        )}
        .
      </p>
      {demo.error && <Notice tone="bad">{demoProblem(demo.error)}</Notice>}
    </form>
  )
}

function demoProblem(error: Error): string {
  if (!(error instanceof ApiError)) return 'Something went wrong in this page. Try again.'
  return error.status === 404 ? 'This service offers no demo accounts.' : error.message
}
