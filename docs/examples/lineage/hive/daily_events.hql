-- Run with: hive --hivevar day=2026-11-30 --hivevar env=dw -f daily_events.hql
SET hive.exec.dynamic.partition.mode=nonstrict;
SET hivevar:source=ods;
ADD JAR hdfs:///libs/udfs.jar;
CREATE TEMPORARY FUNCTION parse_source AS 'com.example.ParseSource';
USE ${hivevar:env};

FROM (
    SELECT e.*, u.country, u.phone
    FROM ${hivevar:source}.events e
    LEFT OUTER JOIN dim.users u ON e.user_id = u.user_id
    WHERE e.dt = '${hivevar:day}'
) joined
INSERT OVERWRITE TABLE events_by_user PARTITION (dt = '${hivevar:day}')
    SELECT user_id, country, sha2(phone, 256), sum(if(kind = 'click', 1, 0)), max(event_time)
    WHERE user_id IS NOT NULL
    GROUP BY user_id, country, sha2(phone, 256)
INSERT OVERWRITE TABLE tags PARTITION (dt = '${hivevar:day}')
    SELECT t.tag, event_id, parse_source(get_json_object(payload, '$.source'))
    LATERAL VIEW OUTER explode(tags) t AS tag
INSERT INTO TABLE late_events PARTITION (dt, hour)
    SELECT event_id, event_time, to_date(event_time), hour(event_time)
    WHERE to_date(event_time) < '${hivevar:day}';
