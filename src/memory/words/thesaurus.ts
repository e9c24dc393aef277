// Words of developers that mean nearly the same, across languages: who asks for 缩进 or Einrückung finds a memory
// that says tabs for indentation. A modest list of general words; what it lacks is left to the model.

import { analyse, isDense, type Token } from './words.ts';

/** An idea that a text speaks of. */
export interface Idea {
  /** The words that gave it away, as terms and where they stand. */
  readonly said: readonly Saying[];
  /** All words for it, each as the terms that a text which has the word must have. */
  readonly words: readonly (readonly string[])[];
}

interface Saying {
  readonly terms: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** The ideas of a text, which is in NFKC form, with its tokens. */
export function ideasIn(text: string, tokens: readonly Token[]): readonly Idea[] {
  lexicon ??= readLexicon();
  const said = new Map<number, Saying[]>();
  for (const { term, start, end } of tokens) {
    for (const { spelling, terms, idea } of lexicon.byTerm.get(term) ?? []) {
      if (spelling !== undefined && !text.startsWith(spelling, start)) continue;
      const saying = { terms, start, end: spelling === undefined ? end : start + spelling.length };
      const sayings = said.get(idea) ?? [];
      sayings.push(saying);
      said.set(idea, sayings);
    }
  }
  return Array.from(said, ([idea, sayings]) => ({
    said: sayings,
    words: lexicon?.words[idea] ?? [],
  }));
}

interface Entry {
  /** For a word of a script without spaces, of which the term is but the beginning. */
  readonly spelling?: string;
  readonly terms: readonly string[];
  readonly idea: number;
}

interface Lexicon {
  readonly byTerm: ReadonlyMap<string, readonly Entry[]>;
  /** By idea. */
  readonly words: readonly Idea['words'][];
}

/** Read when it is first asked for, since the start of the editor should not wait for it. */
let lexicon: Lexicon | undefined;

function readLexicon(): Lexicon {
  const byTerm = new Map<string, Entry[]>();
  const words = IDEAS.map((line, idea) => {
    const entries = line
      .split(' ')
      .map((word) => entryOf(word, idea))
      .filter(({ terms }) => terms.length > 0);
    for (const entry of entries) {
      const [first = ''] = entry.terms;
      byTerm.set(first, [...(byTerm.get(first) ?? []), entry]);
    }
    return entries.map(({ terms }) => terms);
  });
  return { byTerm, words };
}

function entryOf(word: string, idea: number): Entry {
  const tokens = analyse(word.normalize('NFKC')).map(({ term }) => term);
  if (!isDense(word.charAt(0))) return { terms: tokens, idea };
  return { spelling: word, terms: tokens.filter((term) => term.length > 1), idea };
}

/**
 * One idea a line; a word may stand in several. Simplified before traditional Chinese, then Japanese, Korean,
 * Spanish, French and German, as far as the word differs.
 */
const IDEAS = `
indent indentation tab tabs 缩进 縮排 インデント 字下げ 들여쓰기 sangría indentación tabulación einrückung einrücken
space spaces whitespace 空格 空白 スペース 공백 espacio espace leerzeichen
style format formatting formatter prettier lint linter 格式 风格 風格 样式 フォーマット 整形 スタイル 서식 포맷 스타일 estilo formato formateo mise formatage stil formatierung
naming name rename camelcase snakecase kebabcase identifier 命名 名称 名稱 変数名 命名規則 이름 명명 nombre nombrar nom nommer nommage benennung namen bezeichner
quote quotes quotation 引号 引號 引用符 クォート 따옴표 comilla comillas guillemets anführungszeichen
semicolon semicolons 分号 分號 セミコロン 세미콜론 strichpunkt
comment comments docstring jsdoc 注释 註解 コメント 주석 comentario comentarios commentaire commentaires kommentar kommentare
document documentation docs readme manual guide 文档 文件 ドキュメント 説明書 문서 documento documentación dokumentation dokument
test tests testing spec unittest jest vitest pytest mocha 测试 測試 テスト 試験 테스트 시험 prueba pruebas tester essai testen prüfung
mock mocks stub fake fixture 模拟 模擬 モック スタブ simulacro bouchon attrappe
coverage 覆盖率 覆蓋率 カバレッジ 커버리지 cobertura couverture abdeckung
deploy deployment deploying rollout ship release publish 部署 发布 發布 上线 デプロイ リリース 公開 배포 출시 desplegar despliegue publicar déployer déploiement publier bereitstellen bereitstellung veröffentlichen
production prod live 生产 生產 线上 本番 프로덕션 운영 producción produktion
staging preproduction 预发 預發 ステージング 検証環境 스테이징
environment env 环境 環境 환경 entorno environnement umgebung
commit commits 提交 コミット 커밋 confirmar
message messages 消息 訊息 信息 メッセージ 메시지 mensaje nachricht
branch branches 分支 ブランチ 브랜치 rama branche zweig
merge rebase squash 合并 合併 マージ 병합 fusionar fusionner zusammenführen
pullrequest pr mr mergerequest 拉取请求 合并请求 プルリクエスト プルリク 풀리퀘스트
review reviewer approve approval 评审 審查 代码审查 レビュー 査読 리뷰 검토 revisión revisar relecture réviser überprüfung überprüfen
database db sql postgres postgresql mysql sqlite mongodb 数据库 資料庫 データベース 데이터베이스 basededatos datenbank
table column schema 表结构 資料表 テーブル カラム スキーマ 테이블 스키마 tabla esquema schéma tabelle spalte
migration migrations migrate 迁移 遷移 移行 マイグレーション 마이그레이션 migración migrar migrer migrieren
query queries select 查询 查詢 クエリ 쿼리 질의 consulta requête abfrage
transaction 事务 交易 トランザクション 트랜잭션 transacción transaktion
cache caching cached redis memcached 缓存 快取 キャッシュ 캐시 caché zwischenspeicher
build compile compiler bundle bundler webpack esbuild vite 构建 建置 编译 編譯 ビルド コンパイル 빌드 컴파일 compilar construir construire bauen kompilieren übersetzen
dependency dependencies package packages library libraries module 依赖 依賴 相依 套件 依存 依存関係 パッケージ ライブラリ 의존성 패키지 라이브러리 dependencia dependencias paquete biblioteca librería dépendance dépendances paquet bibliothèque abhängigkeit abhängigkeiten paket bibliothek
npm pnpm yarn bun packagemanager 包管理器 パッケージマネージャ
install installation setup 安装 安裝 インストール 導入 설치 instalar instalación installer einrichten installieren
version versions versioning semver 版本 バージョン 버전 versión
upgrade update bump 升级 升級 更新 アップグレード アップデート 업그레이드 업데이트 actualizar actualización mettre jour aktualisieren aktualisierung
config configuration configure setting settings option options preference 配置 设置 設定 选项 構成 コンフィグ オプション 설정 옵션 configuración configurar ajuste opciones configurer réglage paramètre konfiguration konfigurieren einstellung einstellungen
error errors exception exceptions failure fail crash 错误 錯誤 异常 例外 失败 エラー 失敗 障害 오류 에러 예외 실패 excepción fallo erreur échec fehler ausnahme fehlschlag absturz
bug bugs defect issue fix 缺陷 漏洞 故障 修复 修復 問題 バグ 不具合 修正 버그 수정 defecto arreglar bogue corriger correction beheben
debug debugging debugger breakpoint 调试 偵錯 デバッグ 디버그 디버깅 depurar déboguer débogage fehlersuche
log logs logging logger 日志 日誌 ログ 로그 로깅 registro bitácora journal journalisation protokoll protokollierung
monitor monitoring metrics dashboard alert observability grafana prometheus datadog 监控 監控 指标 告警 監視 モニタリング アラート 모니터링 경보 monitoreo supervisión alerta surveillance supervision überwachung
performance speed slow fast latency optimize optimise 性能 效能 速度 优化 延迟 パフォーマンス 最適化 遅い 성능 속도 최적화 rendimiento velocidad vitesse lenteur leistung geschwindigkeit langsam
memory heap ram oom leak 内存 記憶體 メモリ 메모리 memoria mémoire speicher
security secure vulnerability 安全 安全性 セキュリティ 脆弱性 보안 취약점 seguridad vulnerabilidad sécurité sicherheit schwachstelle
password passwords secret secrets credential credentials token 密码 密碼 密钥 金鑰 凭证 パスワード 認証情報 トークン 비밀번호 암호 토큰 contraseña secreto motdepasse passwort geheimnis
authentication auth login signin oauth sso session 认证 認證 登录 登入 鉴权 認証 ログイン サインイン 인증 로그인 autenticación iniciar authentification connexion anmeldung anmelden authentifizierung
permission permissions authorization role access 权限 權限 授权 権限 認可 アクセス 권한 permiso permisos autorisation berechtigung zugriff
user users customer client account 用户 用戶 客户 ユーザー 利用者 顧客 アカウント 사용자 고객 계정 usuario cliente cuenta utilisateur compte benutzer nutzer kunde konto
payment payments billing invoice checkout stripe price pricing 支付 付款 账单 订单 価格 支払い 決済 請求 결제 청구 pago factura precio paiement facture prix zahlung rechnung preis
api endpoint rest graphql route interface 接口 介面 端点 エンドポイント インターフェース 엔드포인트 인터페이스 interfaz schnittstelle
request requests http 请求 請求 リクエスト 要求 요청 petición solicitud requête anfrage
response reply answer respond 响应 回复 回覆 回答 応答 レスポンス 返信 응답 답변 답장 respuesta responder réponse répondre antwort antworten
server servers backend host 服务器 伺服器 后端 後端 サーバー サーバ バックエンド 서버 백엔드 servidor serveur
frontend ui gui interface webview page 前端 界面 页面 フロントエンド 画面 프론트엔드 화면 interfaz oberfläche
component components widget 组件 元件 コンポーネント 컴포넌트 componente composant komponente
color colors colour colours theme palette dark 颜色 顏色 主题 カラー テーマ 配色 색상 색깔 테마 tema couleur thème farbe farben
chart charts graph plot diagram visualization 图表 圖表 グラフ チャート 차트 그래프 gráfico gráfica graphique diagramm
button click 按钮 按鈕 ボタン 버튼 botón bouton schaltfläche knopf
file files 文件 檔案 ファイル 파일 archivo fichero fichier datei dateien
folder folders directory directories path 文件夹 資料夾 目录 目錄 フォルダ ディレクトリ パス 폴더 디렉터리 경로 carpeta directorio ruta dossier répertoire chemin ordner verzeichnis pfad
function functions method methods 函数 函數 方法 関数 メソッド 함수 메서드 función método fonction méthode funktion methode
variable variables constant constants 变量 變數 常量 変数 定数 변수 상수 constante veränderliche konstante
class classes object type types 类型 類型 クラス オブジェクト 클래스 타입 clase klasse typ
code source 代码 代碼 程式碼 源码 コード ソース 코드 소스 código quellcode
write writing author 编写 撰寫 書く 記述 작성 쓰기 escribir écrire rédiger schreiben
delete remove drop erase purge 删除 刪除 移除 削除 除去 삭제 제거 eliminar borrar supprimer effacer löschen entfernen
create add new make 创建 新增 添加 新建 作成 追加 생성 추가 crear añadir agregar créer ajouter erstellen hinzufügen anlegen
change modify edit alter 修改 更改 变更 変更 編集 변경 편집 cambiar cambio modificar changer modifier ändern änderung bearbeiten
search find lookup 搜索 搜尋 查找 検索 探す 검색 찾기 buscar búsqueda chercher recherche suchen suche
language locale translation translate i18n l10n localization 语言 語言 翻译 国际化 言語 翻訳 多言語 언어 번역 idioma lenguaje traducción langue traduction sprache übersetzung
english 英语 英文 英語 영어 inglés anglais englisch
chinese 中文 汉语 中国語 중국어 chino chinois chinesisch
japanese 日语 日文 日本語 일본어 japonés japonais japanisch
korean 韩语 韩文 韓国語 한국어 coreano coréen koreanisch
german 德语 ドイツ語 독일어 alemán allemand deutsch
french 法语 フランス語 프랑스어 francés français französisch
spanish 西班牙语 スペイン語 스페인어 español espagnol spanisch
time date datetime timestamp calendar 时间 時間 日期 日時 日付 時刻 시간 날짜 fecha hora heure zeit datum uhrzeit
timezone utc gmt 时区 時區 タイムゾーン 시간대 zona fuseau zeitzone
timeout expire expiry expiration ttl 超时 逾時 过期 タイムアウト 期限 시간초과 타임아웃 만료 caducar délai expirar zeitüberschreitung ablaufen
retry retries backoff attempt 重试 重試 リトライ 再試行 재시도 reintento reintentar réessayer wiederholen wiederholung
limit limits quota maximum max threshold 限制 上限 配额 制限 最大 제한 한도 límite límites limite grenze höchstens
meeting standup sync agenda 会议 會議 例会 会議 ミーティング 打ち合わせ 회의 미팅 reunión réunion besprechung sitzung
week weekly 每周 毎週 매주 semana semanal semaine hebdomadaire woche wöchentlich
schedule cron scheduled timer job 定时 排程 计划 スケジュール 定期 일정 스케줄 horario calendario planifier planification zeitplan
deadline due milestone 截止 期限 締め切り 納期 마감 plazo échéance frist termin
team colleague coworker teammate 团队 團隊 同事 チーム 同僚 동료 equipo compañero équipe collègue mannschaft kollege
owner ownership responsible maintainer codeowners 负责人 負責 所有者 担当者 担当 담당자 소유자 responsable propietario propriétaire zuständig besitzer verantwortlich
project repository repo monorepo 项目 專案 仓库 プロジェクト リポジトリ 프로젝트 저장소 proyecto repositorio projet dépôt projekt
ticket issue tracker jira linear backlog 工单 任务 チケット 課題 이슈 티켓 tarea tâche aufgabe
container docker kubernetes k8s pod image 容器 镜像 コンテナ イメージ 컨테이너 이미지 contenedor conteneur behälter
cloud aws azure gcp 雲端 クラウド 클라우드 nube nuage wolke
ci pipeline workflow actions jenkins continuous 流水线 持续集成 パイプライン 파이프라인 tubería
hook hooks precommit 钩子 鉤子 フック gancho crochet
queue kafka rabbitmq topic event events broker 队列 佇列 主题 キュー イベント 이벤트 cola evento événement warteschlange ereignis
thread async concurrent concurrency parallel race lock 线程 并发 異步 并行 スレッド 並行 並列 非同期 스레드 동시성 비동기 hilo concurrencia concurrence nebenläufig
encoding utf8 charset unicode 编码 編碼 文字コード エンコード 인코딩 codificación encodage kodierung zeichensatz
encrypt encryption tls ssl certificate 加密 证书 暗号化 証明書 암호화 인증서 cifrado certificado chiffrement certificat verschlüsselung zertifikat
backup restore snapshot recovery 备份 備份 恢复 バックアップ 復元 백업 복구 copia respaldo sauvegarde restaurer sicherung wiederherstellen
upload download 上传 下载 上傳 下載 アップロード ダウンロード 업로드 다운로드 subir descargar télécharger hochladen herunterladen
network connection socket websocket proxy 网络 網路 连接 ネットワーク 接続 通信 네트워크 연결 red conexión réseau connexion netzwerk verbindung
editor ide vscode vim neovim emacs 编辑器 編輯器 エディタ 에디터 편집기 éditeur
keyboard shortcut keybinding hotkey 快捷键 快捷鍵 键盘 ショートカット キーボード 단축키 키보드 atajo teclado raccourci clavier tastatur tastenkürzel
terminal shell bash zsh console command cli 终端 終端 命令 命令行 ターミナル コマンド 터미널 명령 comando consola commande konsole befehl
script scripts automation automate 脚本 腳本 自动化 スクリプト 自動化 스크립트 자동화 guion automatización automatisation skript automatisierung
feature features flag toggle 功能 特性 开关 機能 フラグ 기능 플래그 función característica fonctionnalité merkmal funktion
refactor refactoring rewrite cleanup 重构 重構 重写 リファクタリング 書き直し 리팩터링 refactorizar refactorisation umbauen überarbeiten
architecture design pattern structure 架构 架構 设计 設計 アーキテクチャ 構造 아키텍처 설계 구조 arquitectura diseño conception architektur entwurf aufbau
short brief concise terse summary summarize 简短 简洁 摘要 总结 簡潔 短い 要約 간결 요약 짧게 breve conciso resumen court résumé kurz knapp zusammenfassung
explain explanation detail verbose 解释 說明 说明 详细 説明 詳しく 설명 자세히 explicar explicación expliquer explication erklären erklärung ausführlich
example sample demo 例子 示例 範例 サンプル 예시 예제 ejemplo exemple beispiel
ask confirm permission question 询问 确认 詢問 確認 質問 尋ねる 확인 질문 preguntar demander confirmer fragen bestätigen nachfragen
avoid never forbid forbidden ban 避免 禁止 不要 避ける 금지 피하다 evitar prohibido éviter interdit vermeiden verboten
always must require required mandatory 必须 必須 总是 一律 必ず 常に 반드시 항상 siempre obligatorio toujours obligatoire immer pflicht
job role work profession occupation 职业 工作 岗位 仕事 職業 役割 직업 역할 trabajo empleo métier travail beruf arbeit
experience beginner expert junior senior novice 经验 新手 初学者 経験 初心者 경험 초보 experiencia principiante expérience débutant erfahrung anfänger
learn learning study 学习 學習 学ぶ 勉強 공부 학습 aprender apprendre lernen
data dataset record 数据 資料 データ 데이터 datos données daten
money cost budget expense spend 费用 成本 预算 費用 予算 コスト 비용 예산 coste costo presupuesto coût kosten
model llm ai gpt claude 模型 モデル 모델 modelo modèle modell
windows linux macos mac os platform 操作系统 作業系統 平台 プラットフォーム 운영체제 플랫폼 plataforma plateforme betriebssystem plattform
mobile phone android ios 手机 手機 移动 スマホ モバイル 모바일 móvil téléphone handy
accessibility a11y screenreader blind 无障碍 無障礙 アクセシビリティ 접근성 accesibilidad accessibilité barrierefrei
number integer float decimal 数字 數字 整数 数値 숫자 정수 número nombre entier zahl
text string 文本 字符串 字串 文字列 テキスト 텍스트 문자열 cadena texto chaîne texte zeichenkette
list array 列表 数组 陣列 リスト 配列 목록 배열 lista liste tableau feld
sort order 排序 顺序 並び替え ソート 順序 정렬 순서 ordenar orden trier tri sortieren reihenfolge
loop iterate iteration 循环 迴圈 ループ 繰り返し 반복 bucle boucle schleife
start launch boot run execute 启动 运行 執行 起動 実行 시작 실행 arrancar iniciar ejecutar démarrer lancer exécuter starten ausführen
stop kill terminate shutdown 停止 关闭 終了 중지 종료 parar detener arrêter beenden anhalten
frontmatter header headers 头部 標頭 ヘッダー 헤더 cabecera entête kopfzeile
image picture photo screenshot 图片 圖片 截图 画像 写真 スクリーンショット 이미지 사진 imagen foto captura bild
email mail 邮件 郵件 メール 메일 이메일 correo courriel
`
  .trim()
  .split('\n');
