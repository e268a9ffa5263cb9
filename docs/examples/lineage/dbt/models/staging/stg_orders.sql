{{ config(materialized='view', tags=['staging']) }}

with source as (

    select * from {{ source('shop', 'raw_orders') }}

),

renamed as (

    select
        id as order_id,
        user_id as customer_id,
        order_date,
        lower(status) as status,
        _loaded_at
    from source

)

select * from renamed
{% if is_incremental() %}
where _loaded_at > (select max(_loaded_at) from {{ this }})
{% endif %}
