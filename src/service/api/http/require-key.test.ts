import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { getClientAddress } from './require-key.ts'

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as FastifyRequest
const proxied = { publicUrl: new URL('https://parley.example') }

describe('the address of a request', () => {
  it('is the connection’s without a proxy, whatever the client sends', () => {
    expect(getClientAddress(request('::ffff:127.0.0.1', '8.8.8.8'), { publicUrl: null })).toBe('127.0.0.1')
  })

  it('is the last one added by a local proxy', () => {
    expect(getClientAddress(request('127.0.0.1', '1.2.3.4, 9.9.9.9'), proxied)).toBe('9.9.9.9')
    expect(getClientAddress(request('10.0.0.7', '2001:db8::1'), proxied)).toBe('2001:db8::1')
    expect(getClientAddress(request('10.0.0.7'), proxied)).toBe('10.0.0.7')
  })

  it('is the connection’s if that comes from the internet directly', () => {
    expect(getClientAddress(request('9.9.9.9', '1.2.3.4'), proxied)).toBe('9.9.9.9')
  })
})
