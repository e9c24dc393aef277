// The kinds of secrets that are obvious in a text, each as a pattern. A miss is possible, so memories are private by
// default as well. Every repetition is bounded or ends the match, so that no long text takes long.

import { sentence, type Sentence } from '../../base/sentence.ts';
import {
  isStandIn,
  looksSecret,
  PHRASES,
  REST_OF_VALUE,
  MARKS_BEHIND,
  type Parts,
} from './secretPhrases.ts';

export interface SecretRule {
  /** In words, for people and the log. It stands in place of a redacted value, so no rule may see a secret in it. */
  readonly kind: Sentence;
  /** Has the flags d and g. The group `quoted` or `value`, else the whole match, is the value. */
  readonly pattern: RegExp;
  readonly isSecret: (value: string, parts: Parts) => boolean;
  /** What belongs to the value behind the match; sticky. */
  readonly rest: RegExp;
  /** The characters that do not belong to it at its end. */
  readonly trimmed: string;
  /** Whether a secret may begin within a match that is none. */
  readonly looksAgain: boolean;
}

/** The more a kind tells, the earlier it stands. */
export const RULES: readonly SecretRule[] = [
  {
    ...known(
      sentence`a private key`,
      /-{4,5} ?BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY[^]*?(?:-{4,5} ?END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY[A-Z ]{0,9}-{4,5}|$)/dg,
    ),
    // In a sample there is `...` or nothing between the two lines. A key that was cut off still is one.
    isSecret: (block) => !/-{4,5} ?END /.test(block) || /[\w+/]{16}/.test(block),
  },
  known(
    sentence`a private key`,
    /\bPuTTY-User-Key-File-\d:[^]*?(?:Private-MAC: {0,9}[a-f0-9]+|$)/dg,
  ),
  known(sentence`an age secret key`, /\bAGE-SECRET-KEY-(?:[A-Z]{2,4}-)?1[A-Z0-9]{20,}/dgi),
  known(sentence`an Anthropic key`, /\bsk-ant-[\w-]{8,}/dg),
  known(
    sentence`an OpenAI key`,
    /\bsk-(?:proj|svcacct|admin|None)-(?=[\w-]{0,80}\d)[\w-]{16,}|\bsk-[A-Za-z0-9]{16,40}T3BlbkFJ[\w-]{8,}/dg,
  ),
  // A digit tells a key from a hyphenated word that happens to begin so.
  known(sentence`an API key`, /\bsk-(?=[\w-]{0,80}\d)[\w-]{16,}/dg),
  known(sentence`a GitHub token`, /\bgh[opsur]_[A-Za-z0-9]{16,}|\bgithub_pat_\w{16,}/dg),
  {
    ...known(
      sentence`a GitLab token`,
      /\bgl(?:pat|ptt|dt|rtr?|cbt|ft|imt|agent|oas|soat|ffct)-(?=[\w-]{0,80}\d)[\w-]{12,}|\bGR1348941[\w-]{16,}/dg,
    ),
    rest: /[\w.-]*\w/y,
  },
  known(sentence`an npm token`, /\bnpm_(?=[A-Za-z]{0,80}\d)[A-Za-z0-9]{16,}/dg),
  known(sentence`an npm token`, /\b_auth\s{0,9}=\s{0,9}(?<value>[\w+/]{12,}={0,2})/dg),
  // All of them begin so, as it is the format's own head in base64.
  known(sentence`a PyPI token`, /\bpypi-AgE[\w-]{16,}/dg),
  known(sentence`a Hugging Face token`, /\bhf_[A-Za-z0-9]{16,}|\bapi_org_[A-Za-z0-9]{24,}/dg),
  known(sentence`a Stripe key`, /\b[sr]k_(?:live|test|prod)_[A-Za-z0-9]{8,}|\bwhsec_[\w+/]{16,}/dg),
  known(sentence`a SendGrid key`, /\bSG\.[\w-]{10,80}\.[\w-]{10,}/dg),
  known(sentence`a DigitalOcean token`, /\bdo[opr]_v1_[a-f0-9]{16,}/dg),
  known(sentence`a Slack token`, /\bxox[a-z](?:\.xox[a-z])?-[\w%-]{10,}|\bxapp-\d-[\w-]{10,}/dg),
  known(
    sentence`a Slack webhook`,
    /\bhooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/(?<value>[\w/-]{20,})/dg,
  ),
  known(
    sentence`a Discord webhook`,
    /\bdiscord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/(?<value>\d{5,30}\/[\w-]{20,})/dg,
  ),
  known(sentence`a Telegram bot token`, /(?<!\w)(?:bot)?(?<value>\d{6,12}:A[\w-]{33,})/dg),
  known(sentence`an AWS key`, /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/dg),
  known(sentence`an AWS key`, /\b(?:IQoJb3JpZ2lu|F[wQ]oGZXIvYXdz)[\w+/=]{40,}/dg),
  known(
    sentence`an AWS key`,
    /(?:[Ss]ecret|SECRET)[ _-]?(?:[Aa]ccess|ACCESS)?[ _-]?(?:[Kk]ey|KEY)["'`]?\s{0,9}(?:=|:|is)\s{0,9}["'`]?(?<value>(?=[A-Z\d+/]{0,39}[a-z])(?=[a-z\d+/]{0,39}[A-Z])[A-Za-z\d+/]{40})(?![\w+/=-])/dg,
  ),
  known(
    sentence`an Azure key`,
    /\b(?:Account|SharedAccess|SharedSecret)Key=(?<value>[\w+/]{16,}={0,2})/dgi,
  ),
  known(
    sentence`an Azure key`,
    /(?:azure|cosmos|cognitive|storage)[\w-]{0,40}key["'`]?\s{0,9}[=:]\s{0,9}["'`]?(?<value>(?=[a-z+/]{0,80}\d)[\w+/]{32,}={0,2})/dgi,
  ),
  known(
    sentence`an Azure key`,
    /(?<![\w.~-])[\w.~-]{3}\dQ~[\w.~-]{31,}|\b[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}|\b[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}\b/dg,
  ),
  { ...known(sentence`an Azure key`, /[?&]sig=(?<value>[\w%+/-]{20,})/dg), rest: /[\w%+/=-]*/y },
  known(
    sentence`a Google key`,
    /\bAIza[\w-]{30,}|\bya29\.[\w-]{16,}|\bGOCSPX-[\w-]{16,}|\b1\/\/0[\w-]{24,}/dg,
  ),
  known(
    sentence`an access token`,
    /\b(?:gsk|r8|dckr_[op]at|lin_api|shp(?:at|ca|pa|ss)|glsa|figd|sbp)_(?=[\w-]{0,80}\d)[\w-]{20,}|\b(?:xai-|pplx-|ATATT3|PMAK-)(?=[\w-]{0,80}\d)[\w-]{24,}|\bhv[sb]\.[\w-]{20,}/dg,
  ),
  {
    // `{"alg`, `{"typ` or `{"kid` in base64; or `{"` with more of it behind a dot.
    ...known(
      sentence`a signed token`,
      /\beyJ(?:hbGci|0eXAi|raWQi)[\w-]{4,}|(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}/dg,
    ),
    rest: /[\w.-]*\w/y,
  },
  {
    ...known(
      sentence`an authorization header`,
      /\b(?:Bearer|Basic)[^\S\n]{1,9}(?<value>(?=[^\s\d]{0,80}\d)[\w.~+/-]{12,})/dgi,
    ),
    rest: /[\w.~+/=-]*[\w=]/y,
  },
  // `<…>`, `$…` and `{…}` in place of the password are the usual ways to leave it out.
  told(
    sentence`a password in a URL`,
    /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@"'`]{0,80}:(?<value>(?![<${*[]|%[sdv(])[^\s/"'`<>]{3,300})@/dgi,
  ),
  told(
    sentence`a password in a connection string`,
    /[;?&]\s{0,3}(?:password|pwd)\s?=\s?(?<value>(?![<${*[(]|%[sdv(])[^\s;&"'`()]{3,300})(?=[\s;&"'`]|$)/dgi,
  ),
  told(
    sentence`a password in a connection string`,
    /\bjdbc:oracle:\w{1,9}:[\w.-]{1,60}\/(?<value>(?![<${*[])[^\s/@]{3,300})@/dgi,
  ),
  {
    ...told(
      sentence`a password in a .netrc`,
      /\b(?:machine\s{1,9}(?=[\w-]{0,80}[.:\d]|localhost)\S{1,100}|default(?=\s{1,9}login\s))\s{1,9}(?:login\s{1,9}\S{1,100}\s{1,9})?password\s{1,9}(?<value>(?![<${*[])\S{3,300})/dg,
    ),
    rest: /\S*/y,
  },
  ...PHRASES.map(phrase),
];

/** Told by the secret itself. */
function known(kind: Sentence, pattern: RegExp): SecretRule {
  return {
    kind,
    pattern,
    isSecret: isNoSample,
    rest: /[\w-]*/y,
    trimmed: '',
    looksAgain: false,
  };
}

/** Told by what stands around it, and always at the same place. */
function told(kind: Sentence, pattern: RegExp): SecretRule {
  return {
    kind,
    pattern,
    isSecret: (value) => !isStandIn(value),
    rest: /(?!)/y,
    trimmed: '',
    looksAgain: true,
  };
}

/** Told by words around it, so that the value must look like one. */
function phrase(pattern: RegExp): SecretRule {
  return {
    kind: sentence`a password or token`,
    pattern,
    isSecret: looksSecret,
    rest: REST_OF_VALUE,
    trimmed: MARKS_BEHIND,
    looksAgain: true,
  };
}

/** Documented samples of keys have in them what no random one has. */
function isNoSample(value: string): boolean {
  return !/example|placeholder|change[-_]?me|your[-_]|x{6,}|0{12,}|\.{3}|\*{3}/i.test(value);
}
